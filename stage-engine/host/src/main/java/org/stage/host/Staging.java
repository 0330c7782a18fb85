package org.stage.host;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.stage.api.diagnostic.WorkException;

/**
 * The hidden folder beside its target in which one exporter's output grows: {@code
 * DIR/.chakra.tmp-RANDOM} holds {@code files}, which becomes {@code DIR/chakra} by one rename;
 * {@code old}, what a forced run replaces; and {@code lock}, locked while the process lives, so
 * that a later run can tell a leftover from a folder in use. The operating system gives up the lock
 * even where a process is killed.
 */
final class Staging implements AutoCloseable {
  static final String FILES = "files";
  static final String OLD = "old";
  static final String LOCK = "lock";
  private static final int ATTEMPTS = 5;

  private final Path target;
  private final Path folder;
  private final FileChannel lock;
  private boolean closed;

  private Staging(Path target, Path folder, FileChannel lock) {
    this.target = target;
    this.folder = folder;
    this.lock = lock;
  }

  /** Makes the folder for the exporter {@code name} under {@code out}. */
  static Staging create(Path out, String name) throws IOException {
    long random = ThreadLocalRandom.current().nextLong();
    Path folder = out.resolve("." + name + ".tmp-" + HexFormat.of().toHexDigits(random));
    Files.createDirectory(folder);
    FileChannel lock = FileChannel.open(folder.resolve(LOCK), CREATE_NEW, WRITE);
    try {
      lock.tryLock();
    } catch (IOException e) {
      // a file system without locks: then nobody can prove this folder a leftover, and nobody
      // removes it
      log("locking " + folder, e);
    }
    // not by createTempDirectory, whose folders only their owner may read
    Files.createDirectory(folder.resolve(FILES));
    return new Staging(out.resolve(name), folder, lock);
  }

  /** Where the exporter writes. */
  Path files() {
    return folder.resolve(FILES);
  }

  /** Puts the files into place, in place of what is there if {@code force}. */
  synchronized Path publish(boolean force) throws IOException {
    if (closed) {
      throw new CancellationException("stopped");
    }
    Path old = folder.resolve(OLD);
    if (!force && !FileTrees.isFree(target)) {
      throw new WorkException(
          target.toString(),
          "was written by somebody else in the meantime",
          "Run again with --force to replace it, or write elsewhere by --out.");
    }
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      Files.move(target, old, StandardCopyOption.ATOMIC_MOVE);
    }
    try {
      Files.move(files(), target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      restore(old, target);
      throw e;
    }
    return target;
  }

  /** Gives back what was set aside, where nothing has taken its place. */
  static void restore(Path old, Path target) throws IOException {
    if (Files.exists(old, LinkOption.NOFOLLOW_LINKS)
        && !Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      Files.move(old, target, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Removes the folder, also while an exporter that does not stop writes into it. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (FileChannel held = lock) {
      if (Files.exists(files())) {
        // what is still to be written under the old name finds no folder
        Files.move(files(), folder.resolve("dropped"), StandardCopyOption.ATOMIC_MOVE);
      }
      delete(ATTEMPTS);
    } catch (IOException e) {
      log("removing " + folder, e);
    }
  }

  private void delete(int attempts) throws IOException {
    try {
      FileTrees.delete(folder);
    } catch (DirectoryNotEmptyException | NoSuchFileException e) {
      if (attempts > 1 && Files.exists(folder)) {
        delete(attempts - 1);
      }
    }
  }

  private static void log(String doing, @Nullable IOException e) {
    String text = e == null ? "" : Failures.text(e);
    LoggerFactory.getLogger(Staging.class).warn("{}: {}", doing, text);
  }
}
