package org.stage.module;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.stage.api.graph.Axis;
import org.stage.api.graph.Module;
import org.stage.operator.OperatorRules;

/**
 * The built-in module files. A module says what is computed, on logical axes; nothing in it speaks
 * of devices. Entries with {@code when} are taken if that feature is among those asked for. The
 * axes that all files may use stand in a file of their own, {@code axes.yaml}.
 */
public final class ModuleLibrary {
  private static final String SHARED_AXES = "axes";

  private final OperatorRules operators;
  private final Axes shared;
  private final Map<String, ModuleFile> files = new ConcurrentHashMap<>();

  /**
   * The library.
   *
   * @param operators what is known of the operators that its modules name
   */
  public ModuleLibrary(OperatorRules operators) {
    this.operators = operators;
    this.shared = Axes.of(read(SHARED_AXES), Axes.NONE);
  }

  /** The library on the operators of the engine. */
  public static ModuleLibrary standard() {
    return new ModuleLibrary(OperatorRules.standard());
  }

  /** What is known of the operators that its modules name. */
  public OperatorRules operators() {
    return operators;
  }

  /**
   * The axes of some modules and those that all may use, which come first: of several axes of one
   * role the first leads.
   */
  public List<Axis> axes(Collection<Module> modules) {
    Map<String, Axis> all = new LinkedHashMap<>(shared.byName());
    modules.forEach(module -> module.axes().forEach(axis -> all.putIfAbsent(axis.name(), axis)));
    return List.copyOf(all.values());
  }

  /**
   * Builds the forward graph of a module.
   *
   * @param name name of the module file
   * @param features what holds of the model, for {@code when}
   * @throws org.stage.api.diagnostic.InputException if an axis is not declared, or not as it must
   *     be; the message names file and line
   * @throws IllegalArgumentException if the module file is not well formed otherwise; the message
   *     names it
   */
  public Module build(String name, Set<String> features) {
    return build(name, features, Map.of());
  }

  /**
   * Builds the forward graph of a module that leaves open which others it uses.
   *
   * @param name name of the module file
   * @param features what holds of the model, for {@code when}
   * @param parts the module for each name behind a dollar in {@code use}
   * @throws IllegalArgumentException if the module file is not well formed; the message names it
   */
  public Module build(String name, Set<String> features, Map<String, String> parts) {
    return new ModuleBuilder(this, name, features, parts).build();
  }

  Axes axes(ModuleFile file) {
    return Axes.of(file, shared);
  }

  ModuleFile file(String name) {
    return files.computeIfAbsent(name, ModuleLibrary::read);
  }

  private static ModuleFile read(String name) {
    String path = "modules/" + name + ".yaml";
    try (InputStream in = ModuleLibrary.class.getResourceAsStream("/" + path)) {
      if (in == null) {
        throw new IllegalArgumentException("there is no module '" + name + "'");
      }
      return ModuleFile.read(path, in);
    } catch (IOException e) {
      throw new UncheckedIOException("module " + name, e);
    }
  }
}
