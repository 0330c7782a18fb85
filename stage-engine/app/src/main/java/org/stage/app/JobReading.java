package org.stage.app;

import java.util.List;
import org.stage.engine.Synthesis;
import org.stage.spec.ProfileSource;
import org.stage.spec.SharedNetwork;
import org.stage.spec.WorkloadReader;
import org.stage.spec.WorkloadSpec;
import org.stage.spec.WorkloadSpec.Export;

/**
 * The way of a job into the engine: its workload file is read, then the profiles that are named,
 * then it is synthesized. Plugins are asked only for models and profiles that are files.
 */
final class JobReading {
  private final ModelImports models;
  private final ProfileImports profiles;

  JobReading(LazyPlugins plugins, Listener listener) {
    models = new ModelImports(plugins, listener);
    profiles = new ProfileImports(plugins, listener);
  }

  /**
   * Reads a job's file and its profiles.
   *
   * @param shared whether it is one of several jobs on one network
   */
  ReadJob read(JobRequest request, boolean shared) {
    ProfileSource measured = new ProfileSource(profiles, request.profiles());
    return new ReadJob(
        shared
            ? WorkloadReader.readShared(request.file(), request.overrides(), models, measured)
            : WorkloadReader.read(request.file(), request.overrides(), models, measured));
  }

  /**
   * A job that was read, with its profiles: what exports and messages need of it, and its
   * synthesis.
   */
  record ReadJob(WorkloadSpec spec) {
    Synthesis synthesize() {
      return Synthesis.of(spec);
    }

    /** The file, for messages. */
    String source() {
      return spec.source();
    }

    String name() {
      return spec.name();
    }

    int devices() {
      return spec.mesh().devices();
    }

    List<Export> exports() {
      return spec.exports();
    }

    /** The network of all jobs, if this is the first of them. */
    SharedNetwork network(int allDevices) {
      return SharedNetwork.of(spec, allDevices);
    }
  }
}
