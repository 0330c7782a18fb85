package org.stage.app;

import java.util.List;
import org.stage.calibrate.KnownTimes;
import org.stage.engine.Synthesis;
import org.stage.workloadfile.SharedNetwork;
import org.stage.workloadfile.WorkloadFile;
import org.stage.workloadfile.WorkloadFile.Export;
import org.stage.workloadfile.WorkloadReader;

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
    WorkloadFile file =
        shared
            ? WorkloadReader.readShared(request.file(), request.overrides(), models)
            : WorkloadReader.read(request.file(), request.overrides(), models);
    KnownTimes times =
        new KnownTimes(profiles.read(file.profiles(), request.profiles()), file.durations());
    return new ReadJob(request.file().toString(), file, times);
  }

  /** A job that was read, with its profiles. */
  record ReadJob(String source, WorkloadFile file, KnownTimes times) {
    Synthesis synthesize() {
      return Synthesis.of(file.job(), times);
    }

    String name() {
      return file.job().name();
    }

    int devices() {
      return file.job().mesh().devices();
    }

    List<Export> exports() {
      return file.exports();
    }

    /** The network of all jobs, if this is the first of them. */
    SharedNetwork network(int allDevices) {
      return SharedNetwork.of(file.job(), allDevices);
    }
  }
}
