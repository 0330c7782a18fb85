package org.stage.app;

import java.util.List;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.Option;
import org.stage.api.plugin.Plugin;
import org.stage.host.Extension;
import org.stage.host.ExtensionKind;
import org.stage.host.LoadedPlugin;

/**
 * What a plugin gives, and says of it when asked. One that fails to say it harms none: the listener
 * is warned.
 */
public final class ExtensionInfo {
  private final Extension<?> extension;
  private final Listener listener;

  ExtensionInfo(Extension<?> extension, Listener listener) {
    this.extension = extension;
    this.listener = listener;
  }

  /** Under which users ask for it. */
  public String name() {
    return extension.name();
  }

  /** What it is, as {@code exporter}; at least one thing. */
  public List<String> kinds() {
    return extension.kinds().stream().map(ExtensionKind::text).toList();
  }

  /** Where it comes from. */
  public LoadedPlugin plugin() {
    return extension.plugin();
  }

  /** A line about it. */
  public String description() {
    return ask(extension, "description()", Plugin::description, "");
  }

  /** Its options. */
  public List<Option> options() {
    return ask(extension, "options()", Plugin::options, List.of());
  }

  /** What it can say of a workload. */
  public Capabilities capabilities() {
    return ask(extension, "capabilities()", Plugin::capabilities, Capabilities.nothing());
  }

  /** What {@code question} gives, or {@code otherwise}, with a warning, if the plugin fails. */
  private <P extends Plugin, R> R ask(
      Extension<P> asked, String question, Extension.Call<P, R> call, R otherwise) {
    try {
      return asked.call(question, call);
    } catch (WorkException e) {
      Diagnostic why = e.diagnostic();
      listener.say(new Diagnostic(Severity.WARNING, why.source(), why.message(), why.remedy()));
      return otherwise;
    }
  }
}
