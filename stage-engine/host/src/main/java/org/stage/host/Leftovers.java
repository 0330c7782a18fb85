package org.stage.host;

import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Staging folders whose process was killed. */
final class Leftovers {
  private static final Pattern NAME = Pattern.compile("\\.([a-z][a-z0-9.-]*)\\.tmp-[0-9a-f]{16}");

  /** Between making a folder and locking its lock lies a moment in which it looks abandoned. */
  private static final Duration BIRTH = Duration.ofMinutes(1);

  private Leftovers() {}

  /** Removes them, giving back first what a forced run had set aside. Folders in use stay. */
  static void clean(Path out) throws IOException {
    List<Path> folders;
    try (Stream<Path> files = Files.list(out)) {
      folders = files.filter(file -> NAME.matcher(LoadedPlugin.fileName(file)).matches()).toList();
    }
    for (Path folder : folders) {
      try {
        cleanOne(out, folder);
      } catch (IOException e) {
        LoggerFactory.getLogger(Leftovers.class)
            .warn("removing {}, left by a killed run: {}", folder, Failures.text(e));
      }
    }
  }

  private static void cleanOne(Path out, Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder.resolve(Staging.LOCK), WRITE)) {
      @Nullable FileLock lock = channel.tryLock();
      if (lock != null) {
        remove(out, folder);
      }
    } catch (OverlappingFileLockException e) {
      LoggerFactory.getLogger(Leftovers.class).debug("{} is in use by this process", folder);
    } catch (NoSuchFileException e) {
      Instant changed = Files.getLastModifiedTime(folder).toInstant();
      if (changed.isBefore(Instant.now().minus(BIRTH))) {
        remove(out, folder);
      }
    }
  }

  private static void remove(Path out, Path folder) throws IOException {
    Matcher name = NAME.matcher(LoadedPlugin.fileName(folder));
    if (name.matches()) {
      Staging.restore(folder.resolve(Staging.OLD), out.resolve(name.group(1)));
      FileTrees.delete(folder);
    }
  }
}
