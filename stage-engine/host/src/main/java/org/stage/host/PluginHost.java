package org.stage.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.pf4j.DefaultPluginManager;
import org.pf4j.ExtensionFactory;
import org.pf4j.ExtensionFinder;
import org.pf4j.LoggingPluginStateListener;
import org.pf4j.PluginClassLoader;
import org.pf4j.PluginDescriptorFinder;
import org.pf4j.PluginLoader;
import org.pf4j.PluginRepository;
import org.pf4j.PluginState;
import org.pf4j.PluginStateEvent;
import org.pf4j.PluginStatusProvider;
import org.pf4j.PluginWrapper;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.ApiVersion;

/**
 * PF4J's plugin manager with STAGE's rules. States, events, versions and extension classes are
 * PF4J's; through its factory methods are replaced, each for the reason told there:
 *
 * <ul>
 *   <li>the descriptor finder ({@link ManifestFinder}), the loader ({@link JarLoader}), the
 *       repository ({@link JarFolders}), the extension finder ({@link ExtensionClasses}) and the
 *       extension factory ({@link ExtensionMaker});
 *   <li>the status provider: a plugin is switched off by removing its JAR, so no file {@code
 *       disabled.txt} is read from, or written to, the folders.
 * </ul>
 *
 * <p>{@link #loadPlugins} is replaced too. PF4J's stops at the first thrown error, so one bad JAR
 * keeps all others from being loaded, and takes the first of two with one id, in the order of their
 * dates. Here each JAR goes through {@link #loadPlugin} by itself; what is wrong with it becomes a
 * value. No code of a plugin runs before one of its extensions is asked for.
 */
public final class PluginHost extends DefaultPluginManager {
  private final String apiVersion;
  private final Consumer<PluginIssue> told;
  private final List<PluginIssue> issues = new ArrayList<>();
  private final List<PluginStatus> failed = new ArrayList<>();
  private final Set<String> order = new LinkedHashSet<>();

  /**
   * A manager that has loaded nothing yet.
   *
   * @param folders where plugins are
   * @param told takes what is wrong with a JAR, as it turns up
   */
  public PluginHost(List<Path> folders, Consumer<PluginIssue> told) {
    this(folders, told, ApiVersion.current());
  }

  PluginHost(List<Path> folders, Consumer<PluginIssue> told, String apiVersion) {
    super(folders);
    this.apiVersion = apiVersion;
    this.told = told;
    // by semver 1.0.0-SNAPSHOT is older than 1.0.0, but it is what plugins for 1.0.0 are built
    // against
    setSystemVersion(apiVersion.replaceFirst("[-+].*", ""));
    setExactVersionAllowed(true);
    addPluginStateListener(new LoggingPluginStateListener());
  }

  @Override
  protected List<Path> createPluginsRoot() {
    return List.of();
  }

  @Override
  protected PluginRepository createPluginRepository() {
    return new JarFolders(getPluginsRoots());
  }

  @Override
  protected PluginDescriptorFinder createPluginDescriptorFinder() {
    return new ManifestFinder(this);
  }

  @Override
  protected PluginLoader createPluginLoader() {
    return new JarLoader(this);
  }

  @Override
  protected ExtensionFinder createExtensionFinder() {
    ExtensionClasses finder = new ExtensionClasses(this);
    addPluginStateListener(finder);
    return finder;
  }

  @Override
  protected ExtensionFactory createExtensionFactory() {
    return new ExtensionMaker(this);
  }

  @Override
  protected PluginStatusProvider createPluginStatusProvider() {
    return new PluginStatusProvider() {
      @Override
      public boolean isPluginDisabled(String id) {
        return false;
      }

      @Override
      public void disablePlugin(String id) {}

      @Override
      public void enablePlugin(String id) {}
    };
  }

  /**
   * Loads the JARs that stand directly in the folders, and starts those that can be used. Of
   * several with the same id the newest version that loads is taken; of equal versions the one of
   * the earlier folder.
   *
   * @throws InputException if one of the folders is not there
   */
  @Override
  public void loadPlugins() {
    loadEach(pluginRepository.getPluginPaths());
  }

  /** Loads these JARs, whatever they are called. */
  void loadEach(List<Path> jars) {
    // the order in which ids were met decides who has a name that two give: the earlier folder
    Map<String, List<Path>> groups = new LinkedHashMap<>();
    Set<Path> seen = new HashSet<>();
    for (Path jar : jars) {
      // a folder may be named twice, or by a link
      if (seen.add(real(jar))) {
        try {
          String id = pluginDescriptorFinder.find(jar).getPluginId();
          groups.computeIfAbsent(id, each -> new ArrayList<>()).add(jar);
        } catch (PluginRefused refused) {
          fail(jar, PluginState.FAILED);
          report(PluginIssue.error(jar, refused));
        }
      }
    }
    for (List<Path> group : groups.values()) {
      // stable: among equal versions, the order of folders and names stays
      group.sort((one, other) -> versionManager.compareVersions(version(other), version(one)));
      group.forEach(this::loadGuarded);
    }
  }

  private static Path real(Path jar) {
    try {
      return jar.toRealPath();
    } catch (IOException e) {
      // reading it will say why
      return jar;
    }
  }

  private String version(Path jar) {
    return pluginDescriptorFinder.find(jar).getVersion();
  }

  private void loadGuarded(Path jar) {
    String id = pluginDescriptorFinder.find(jar).getPluginId();
    @Nullable PluginWrapper taken = getPlugin(id);
    if (taken != null) {
      report(
          PluginIssue.warning(
              jar,
              "not loaded, since " + LoadedPlugin.of(taken) + " has the same id",
              "Remove one of the two."));
      return;
    }
    try {
      loadPlugin(jar);
      start(getPlugin(id));
    } catch (RuntimeException | LinkageError e) {
      // nothing that stands in a JAR may keep the others from being loaded
      PluginRefused why =
          e instanceof PluginRefused refused
              ? refused
              : new PluginRefused(
                  "it cannot be loaded: " + Failures.text(e), "Copy or build it again.", e);
      report(PluginIssue.error(jar, why));
      giveUp(jar, id, why);
    }
  }

  /** Starts a plugin that has been loaded, if any of its extensions can be used. */
  private void start(PluginWrapper plugin) {
    if (plugin.getPluginState().isDisabled()) {
      throw ((ManifestFinder) pluginDescriptorFinder).unfit(plugin.getDescriptor(), apiVersion);
    }
    PluginClassLoader loader = (PluginClassLoader) plugin.getPluginClassLoader();
    if (loader.findResource("org/stage/api/plugin/Plugin.class") != null) {
      report(
          PluginIssue.warning(
              plugin.getPluginPath(),
              "it bundles stage-api, which is ignored: the host's is used",
              "Build it with the plugin parent, which leaves stage-api out."));
    }
    List<PluginRefused> faults = new ArrayList<>();
    Set<String> names = ExtensionClasses.index(loader);
    for (String className : names) {
      try {
        ((ExtensionClasses) extensionFinder).check(plugin.getPluginId(), className, loader);
      } catch (PluginRefused refused) {
        faults.add(refused);
      }
    }
    if (faults.size() == names.size()) {
      PluginRefused last = faults.remove(faults.size() - 1);
      faults.forEach(fault -> report(PluginIssue.error(plugin.getPluginPath(), fault)));
      throw last;
    }
    faults.forEach(fault -> report(PluginIssue.error(plugin.getPluginPath(), fault)));
    order.add(plugin.getPluginId());
    startPlugin(plugin.getPluginId());
  }

  /** Gives up on a plugin of which no extension could be constructed. */
  void giveUpIfUseless(PluginWrapper plugin, PluginRefused why) {
    List<Class<?>> types = getExtensionClasses(plugin.getPluginId());
    if (types.stream().allMatch(maker()::isRefused)) {
      types.forEach(maker()::forget);
      giveUp(plugin.getPluginPath(), plugin.getPluginId(), why);
    }
  }

  /** Lets go of a JAR, so that an older one with its id can take its place. */
  private void giveUp(Path jar, String id, PluginRefused why) {
    PluginState state = PluginState.FAILED;
    @Nullable PluginWrapper plugin = getPlugin(id);
    if (plugin != null) {
      PluginState before = plugin.getPluginState();
      state = before.isDisabled() ? before : state;
      plugin.setPluginState(state);
      plugin.setFailedException(why);
      firePluginStateEvent(new PluginStateEvent(this, plugin, before));
      order.remove(id);
      ((ExtensionClasses) extensionFinder).forget(id);
      unloadPlugin(id);
    }
    fail(jar, state);
  }

  private void fail(Path jar, PluginState state) {
    String id = ManifestFile.names(jar).stream().findFirst().orElse("");
    failed.add(new PluginStatus(id, ManifestFile.version(jar), state.toString(), List.of(), jar));
  }

  /** Takes down what is wrong with a JAR, and tells it. */
  void report(PluginIssue issue) {
    note(issue);
    told.accept(issue);
  }

  /** Takes down what is wrong with a JAR, of which the caller is told by other means. */
  void note(PluginIssue issue) {
    issues.add(issue);
  }

  /** What is wrong with JARs, as far as it has turned up. */
  List<PluginIssue> issues() {
    return List.copyOf(issues);
  }

  /** The JARs of which nothing can be used. */
  List<PluginStatus> failed() {
    return List.copyOf(failed);
  }

  /** The plugins that can be used, in the order of their folders. */
  List<PluginWrapper> started() {
    return order.stream().map(this::getPlugin).toList();
  }

  /** What makes extensions. */
  ExtensionMaker maker() {
    return (ExtensionMaker) extensionFactory;
  }
}
