package org.stage.host;

import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Exceptions as text for people: of file system exceptions the JDK's message is often the path
 * alone.
 */
public final class Failures {
  /** More than anybody reads; a class name in a damaged file may be thousands of characters. */
  private static final int MAX_LENGTH = 400;

  private Failures() {}

  /** One line that says what went wrong; never throws, whatever the exception's own methods do. */
  public static String text(Throwable e) {
    try {
      return e instanceof FileSystemException file ? fileText(file) : plainText(e);
    } catch (RuntimeException | LinkageError broken) {
      return e.getClass().getName();
    }
  }

  /** The same without the path in front, where that is {@code known} and said already. */
  static String text(Throwable e, Path known) {
    String text = text(e);
    for (Path own : List.of(known, known.toAbsolutePath())) {
      String head = own + ": ";
      if (text.startsWith(head)) {
        return text.substring(head.length());
      }
    }
    return text;
  }

  private static String plainText(Throwable e) {
    @Nullable String message = e.getMessage();
    String name = e.getClass().getSimpleName();
    if (message == null || message.isBlank()) {
      return name.isEmpty() ? e.getClass().getName() : name;
    }
    String line = shortened(message).strip().replaceAll("\\s*\\R\\s*", " ");
    // "Shape.area()" alone does not tell that a method is missing; "No space left on device" does
    return e instanceof java.io.IOException ? line : name + ": " + line;
  }

  private static String shortened(String message) {
    return message.length() <= MAX_LENGTH ? message : message.substring(0, MAX_LENGTH) + "...";
  }

  private static String fileText(FileSystemException e) {
    @Nullable String file = e.getFile();
    String reason;
    if (e instanceof NoSuchFileException) {
      reason = "does not exist";
    } else if (e instanceof AccessDeniedException) {
      reason = "permission denied";
    } else if (e instanceof FileAlreadyExistsException) {
      reason = "exists already";
    } else if (e instanceof NotDirectoryException) {
      reason = "is not a folder";
    } else if (e instanceof DirectoryNotEmptyException) {
      reason = "is not empty";
    } else {
      @Nullable String given = e.getReason();
      reason = given == null ? e.getClass().getSimpleName() : given;
    }
    return file == null ? reason : file + ": " + reason;
  }
}
