"""Lists the tools of a running service over MCP, and answers ten questions with them; every id in an answer must exist.

mcp_check.py CONFIG       CONFIG is a JSON file: {url, key, command, environment}
"""

import asyncio
import json
import re
import sys
import time
import urllib.error
import urllib.request

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

TOOLS = [
    "search_stories",
    "search_articles",
    "get_story",
    "explain_membership",
    "list_entities",
    "get_entity",
    "get_relationships",
    "list_trends",
    "get_public_response",
    "get_changes",
]
MAX_TEXT = 8_000
ID = re.compile(r"\b(?:sto|art|ent)_[a-z0-9]{16,}")
PATHS = {"sto": "/v1/clusters/", "art": "/layer0/v1/article/", "ent": "/v1/entities/"}
CHECKED_IDS_PER_ANSWER = 6


class Caller:
    def __init__(self, session):
        self.session = session
        self.ids = set()

    async def call(self, name, **arguments):
        result = await self.session.call_tool(name, arguments)
        text = result.content[0].text
        assert not result.is_error, f"{name} {arguments}: {text}"
        assert len(text) <= MAX_TEXT, f"{name} returned {len(text)} characters"
        found = list(dict.fromkeys(ID.findall(text)))
        assert found, f"{name} {arguments} names no id: {text}"
        self.ids.update(found[:CHECKED_IDS_PER_ANSWER])
        return result.structured_content


async def answer_questions(session):
    """Each step is a question of a person, and what an assistant calls to answer it."""
    tools = Caller(session)
    # 1. What are the most widely reported stories of the last month?
    widest = await tools.call("search_stories", time_range="30d", sort="coverage", limit=5)
    story = widest["stories"][0]
    assert story["independent_sources"] > 1, story
    # 2. What happened there, and who reported it?
    detail = await tools.call("get_story", story_id=story["story_id"])
    assert detail["summary"] and len(detail["sources"]) > 1, detail
    source = detail["sources"][0]["article"]
    assert source["title"] and source["url"], source
    # 3. Why does this article belong to it?
    why = await tools.call("explain_membership", story_id=detail["story_id"], article_id=source["article_id"])
    assert why["explanation"], why
    # 4. Which articles are about an earthquake off the coast?
    articles = (await tools.call("search_articles", query="an earthquake off the coast", limit=5))["articles"]
    assert any("quake" in article["title"].lower() for article in articles), articles
    # 5. Which people are in the news?
    people = (await tools.call("list_entities", type="PERSON", time_range="30d", limit=5))["entities"]
    assert all(person["type"] == "PERSON" for person in people), people
    # 6. How much, and how favourably, is the first one reported?
    person = await tools.call("get_entity", entity=people[0]["entity_id"], time_range="30d")
    assert person["mentions_by_day"] and -1 <= person["sentiment"]["average"] <= 1, person
    # 7. Which names is this person connected to?
    related = await tools.call("get_relationships", entity=people[0]["entity_id"], min_strength=0.1)
    assert related["entities"], related
    # 8. What is trending, and how well is that supported?
    trends = await tools.call("list_trends", time_range="7d")
    assert all("low_support" in trend for trend in trends["stories"] + trends["entities"]), trends
    # 9. What does the public say?
    responses = (await tools.call("get_public_response", limit=5))["records"]
    assert responses[0]["posts"] > 0, responses
    one = await tools.call("get_public_response", story_id=responses[0]["story_id"])
    assert one["records"][0]["platform"] in ("reddit", "bluesky", "twitter"), one
    # 10. What changed since yesterday, and since then?
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 86_400))
    changes = await tools.call("get_changes", since=since, limit=5)
    assert changes["has_more"] and len(changes["changes"]) == 5, changes
    later = await tools.call("get_changes", cursor=changes["next_cursor"], limit=5)
    assert not {one["id"] for one in changes["changes"]} & {one["id"] for one in later["changes"]}
    return tools.ids


async def tools_of(session):
    await session.initialize()
    tools = (await session.list_tools()).tools
    assert [tool.name for tool in tools] == TOOLS, tools
    assert all(tool.annotations.read_only_hint for tool in tools), tools


async def check_errors(session):
    result = await session.call_tool("get_story", {"story_id": "sto_nobodys"})
    assert result.is_error and "sto_nobodys" in result.content[0].text, result


def exists(one, url, key):
    request = urllib.request.Request(url + PATHS[one[:3]] + one, headers={"authorization": f"Bearer {key}"})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status == 200
    except urllib.error.HTTPError:
        return False


def check_ids(ids, url, key):
    missing = [one for one in sorted(ids) if not exists(one, url, key)]
    assert not missing, f"answers name ids that do not exist: {missing}"


async def main(config):
    url, key = config["url"], config["key"]
    http = create_mcp_http_client(headers={"authorization": f"Bearer {key}"})
    async with http, streamable_http_client(f"{url}/mcp", http_client=http) as (read, write, *_):
        async with ClientSession(read, write) as session:
            await tools_of(session)
            ids = await answer_questions(session)
            await check_errors(session)
    check_ids(ids, url, key)

    command, *arguments = config["command"]
    server = StdioServerParameters(command=command, args=arguments, env=config["environment"])
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await tools_of(session)
            found = await session.call_tool("search_stories", {"time_range": "30d"})
            assert not found.is_error and ID.search(found.content[0].text), found
    print(f"mcp client: {len(TOOLS)} tools listed over HTTP and stdio, 10 questions answered, {len(ids)} ids exist")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        asyncio.run(main(json.load(file)))
