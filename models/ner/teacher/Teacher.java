import edu.stanford.nlp.ie.crf.CRFClassifier;
import edu.stanford.nlp.ling.CoreLabel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.StringJoiner;

/** Names that a CoreNLP classifier finds, in characters of each line's text: "PERSON 0 12;LOCATION 20 25". */
public final class Teacher {
  public static void main(String[] args) throws Exception {
    CRFClassifier<CoreLabel> classifier = CRFClassifier.getClassifier(args[0]);
    try (var lines = Files.lines(Path.of(args[1])); var out = Files.newBufferedWriter(Path.of(args[2]))) {
      for (String line : (Iterable<String>) lines::iterator) {
        var spans = new StringJoiner(";");
        for (var span : classifier.classifyToCharacterOffsets(line.substring(line.indexOf('\t') + 1)))
          spans.add(span.first() + " " + span.second() + " " + span.third());
        out.write(spans + "\n");
      }
    }
  }
}
