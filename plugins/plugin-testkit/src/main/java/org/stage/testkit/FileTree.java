package org.stage.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files under a folder, to be compared. */
final class FileTree {
  private FileTree() {}

  /** Size and SHA-256 of each file, by its path with slashes. */
  static Map<String, String> of(Path folder) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(each -> !Files.isDirectory(each)).toList()) {
        files.put(folder.relativize(file).toString().replace('\\', '/'), fingerprint(file));
      }
    }
    return files;
  }

  private static String fingerprint(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return "is no regular file";
    }
    byte[] bytes = Files.readAllBytes(file);
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return bytes.length + " bytes, " + HexFormat.of().formatHex(digest.digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
