/** Printer's filler: the words of one famous page of Latin, and of its usual continuations. */
export const PLACEHOLDERS: readonly string[] = (
  'lorem ipsum dolor amet consectetur consectetuer adipiscing adipisicing elit eiusmod tempor incididunt labore ' +
  'magna aliqua veniam quis nostrud exercitation ullamco laboris nisi aliquip commodo consequat aute irure ' +
  'reprehenderit voluptate voluptatem velit cillum fugiat nulla pariatur excepteur sint occaecat cupidatat proident ' +
  'culpa officia deserunt mollit laborum vestibulum curabitur pellentesque mauris vivamus praesent donec cras nullam ' +
  'integer posuere maecenas faucibus interdum aenean lacinia bibendum ornare fermentum lobortis scelerisque vulputate ' +
  'perspiciatis unde omnis iste natus accusantium doloremque laudantium accusamus dignissimos ducimus blanditiis nemo ' +
  'enim ipsam quia aspernatur odit tincidunt sapien tristique senectus netus malesuada fames turpis egestas suspendisse ' +
  'phasellus sollicitudin hendrerit condimentum porttitor dapibus sagittis venenatis ultrices euismod dictum morbi justo'
).split(' ')
