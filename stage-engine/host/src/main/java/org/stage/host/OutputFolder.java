package org.stage.host;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;

/**
 * The folder that a user named, with the folders that had to be made for it.
 *
 * @param path the folder
 * @param made the folders that were not there before, outermost first
 */
record OutputFolder(Path path, List<Path> made) {
  /** The folder with its parents, to be made where they are missing. */
  static OutputFolder of(Path path) {
    Deque<Path> missing = new ArrayDeque<>();
    @Nullable Path existing = path.toAbsolutePath();
    while (existing != null && !Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
      missing.push(existing);
      existing = existing.getParent();
    }
    if (existing != null && !Files.isDirectory(existing)) {
      throw new InputException(
          path.toString(),
          existing.equals(path.toAbsolutePath())
              ? "is a file, not a folder"
              : existing + " is a file, not a folder",
          "Name another folder by --out.");
    }
    return new OutputFolder(path, List.copyOf(missing));
  }

  /** Makes it. */
  void make() {
    try {
      Files.createDirectories(path);
    } catch (IOException e) {
      removeMade();
      throw unwritable(path, e);
    }
  }

  /** Says that the folder cannot be written. */
  static WorkException unwritable(Path path, IOException e) {
    return new WorkException(
        path.toString(),
        "cannot be written: " + Failures.text(e, path),
        "Name a folder by --out that has room for it and that you may write to.",
        e);
  }

  /** Says which folder could not be written, where a plugin failed at input or output. */
  static WorkException named(Path path, WorkException failure) {
    if (!(failure.getCause() instanceof IOException)) {
      return failure;
    }
    return new WorkException(
        path.toString(),
        "cannot be written: " + failure.diagnostic(),
        "Name a folder by --out that has room for it and that you may write to.",
        failure);
  }

  /** Refuses output that is there already. */
  void requireFree(String name) {
    Path target = path.resolve(name);
    try {
      if (!FileTrees.isFree(target)) {
        throw new InputException(
            target.toString(),
            "is there already and not empty",
            "Replace it by --force, or write elsewhere by --out.");
      }
    } catch (IOException e) {
      throw unwritable(target, e);
    }
  }

  /** Removes the folders that were made and are still empty. */
  void removeMade() {
    for (int i = made.size() - 1; i >= 0; i--) {
      if (!Files.exists(made.get(i), LinkOption.NOFOLLOW_LINKS)) {
        // making it failed; asking the system to remove it would fail again, for the same reason
        continue;
      }
      try {
        Files.deleteIfExists(made.get(i));
      } catch (DirectoryNotEmptyException e) {
        return;
      } catch (IOException e) {
        LoggerFactory.getLogger(OutputFolder.class)
            .warn("removing {}: {}", made.get(i), Failures.text(e));
        return;
      }
    }
  }
}
