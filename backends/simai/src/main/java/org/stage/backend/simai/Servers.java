package org.stage.backend.simai;

import java.util.List;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.Workload;

/**
 * The machines as SimAI's command line describes them.
 *
 * @param known whether the workload has a network; else bandwidths are those of SimAI's manual
 * @param gpus devices of a server
 * @param nics network cards of a server, a multiple of the tensor-parallel degree or of a server
 * @param nvlink bandwidth of a device inside its server, 2^30 bytes a second
 * @param nic bandwidth of a card, 2^30 bytes a second
 */
record Servers(boolean known, int gpus, int nics, double nvlink, double nic) {
  private static final int USUAL_GPUS = 8;
  private static final double USUAL_NVLINK = 360;
  private static final double USUAL_NIC = 48.5;

  /** 10^9 bytes in units of 2^30, in which SimAI counts whatever it says. */
  private static final double GIB_PER_GB = 1e9 / (1L << 30);

  static Servers of(Workload workload, Settings settings) {
    List<NetworkDimension> network = workload.network();
    int gpus = settings.gpusPerServer();
    if (gpus == 0) {
      gpus = network.isEmpty() ? USUAL_GPUS : network.get(0).size();
    }
    if (network.isEmpty()) {
      return new Servers(false, gpus, gpus, USUAL_NVLINK, USUAL_NIC);
    }
    double inside = network.get(0).gbPerS() * GIB_PER_GB;
    // The fabric; where one dimension is all there is, its own speed.
    double outside = network.get(Math.min(1, network.size() - 1)).gbPerS() * GIB_PER_GB;
    return new Servers(true, gpus, gpus, inside, outside);
  }

  /** What to know of them. */
  void check(Workload workload, Groups groups, Losses losses) {
    if (!known) {
      losses.note(
          Loss.note(
              "no network is given: run.sh takes servers of "
                  + gpus
                  + " devices, 360 GiB/s inside and 48.5 GiB/s a card",
              "Give the network, or change run.sh."));
    }
    int tensor = groups.tensor();
    if (gpus % tensor != 0 && tensor % gpus != 0) {
      losses.note(
          Loss.warning(
              "servers of " + gpus + " devices do not fit tensor parallelism of " + tensor,
              "SimAI divides one by the other and cuts off: set gpus_per_server."));
    }
    if (workload.network().size() > 2) {
      losses.add(
          Loss.note(
              "the network has " + workload.network().size() + " dimensions, SimAI two",
              "run.sh has the two innermost."));
    }
  }
}
