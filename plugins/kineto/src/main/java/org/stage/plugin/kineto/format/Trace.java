package org.stage.plugin.kineto.format;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of a profile that matter, in columns, in the order of the file. Times are nanoseconds
 * as the file counts them. A lane is a thread of the host or a stream of a device.
 */
public final class Trace {
  final LongColumn deviceStart = new LongColumn();
  final LongColumn deviceDuration = new LongColumn();
  final LongColumn deviceCorrelation = new LongColumn();
  final IntColumn deviceLane = new IntColumn();
  final IntColumn deviceName = new IntColumn();

  /** Category, and in the higher bits the row of the details. */
  final IntColumn deviceDetail = new IntColumn();

  final LongColumn copyBytes = new LongColumn();

  final LongColumn launchCorrelation = new LongColumn();
  final LongColumn launchTime = new LongColumn();
  final IntColumn launchLane = new IntColumn();

  /** Which launches start a graph. */
  final BitSet graphLaunches = new BitSet();

  /** Correlations of events of the device whose times cannot be used. */
  final LongColumn rejectedCorrelation = new LongColumn();

  final LongColumn opStart = new LongColumn();
  final LongColumn opDuration = new LongColumn();
  final IntColumn opLane = new IntColumn();
  final IntColumn opName = new IntColumn();
  final IntColumn opSignature = new IntColumn();

  /** Category, and in the higher bits the row of the communication. */
  final IntColumn opDetail = new IntColumn();

  final IntColumn opSequence = new IntColumn();
  final IntColumn opFunction = new IntColumn();

  /** Communication by row: what, and which one. */
  final IntColumn communicationKind = new IntColumn();

  final LongColumn communicationSeq = new LongColumn();
  final LongColumn communicator = new LongColumn();

  final List<Communication> communications = new ArrayList<>();
  final List<Signature> signatures = new ArrayList<>();
  final Interner names = new Interner();
  final Interner words = new Interner();
  final PairTable lanes = new PairTable();
  final Map<Rejection, Long> rejections = new LinkedHashMap<>();
  final Metadata metadata = new Metadata();
  final Condition condition = new Condition();

  long begins;

  /** The rank that a collective of the default group names, or -1. */
  int namedRank = -1;

  /** Why the time of an event cannot be used. */
  public enum Rejection {
    /** It has no duration, or none that is a number. */
    MISSING,
    /** Its duration is below zero. */
    NEGATIVE,
    /** Its duration is zero. */
    ZERO,
    /** It has no beginning. */
    NO_START
  }

  Trace() {}

  void reject(Rejection reason, long correlation) {
    rejections.merge(reason, 1L, Long::sum);
    rejectedCorrelation.add(correlation);
  }

  /** Events that say where something begins, and not how long it takes. */
  public long begins() {
    return begins;
  }

  /** Whether a launch started a whole graph of kernels. */
  public boolean isGraphLaunch(int launch) {
    return graphLaunches.get(launch);
  }

  /** What the file says of itself. */
  public Metadata metadata() {
    return metadata;
  }

  /** In what condition the file was. */
  public Condition condition() {
    return condition;
  }

  /** Events of the device whose times cannot be used, by reason. */
  public Map<Rejection, Long> rejections() {
    return Map.copyOf(rejections);
  }

  /** The rank that a collective of the default group names, or -1. */
  public int namedRank() {
    return namedRank;
  }

  /** Kernels, copies and fills that can be used. */
  public int devices() {
    return deviceStart.size();
  }

  /** Kernels, copies and fills in order of their beginnings. */
  public int[] devicesInOrder() {
    return Order.of(devices(), (a, b) -> Long.compare(deviceStart.get(a), deviceStart.get(b)));
  }

  /** When event {@code index} of the device began. */
  public long deviceStart(int index) {
    return deviceStart.get(index);
  }

  /** How long event {@code index} of the device took; above zero. */
  public long deviceDuration(int index) {
    return deviceDuration.get(index);
  }

  /** The number of the name of event {@code index} of the device. */
  public int deviceName(int index) {
    return deviceName.get(index);
  }

  /** The stream of event {@code index} of the device. */
  public int deviceLane(int index) {
    return deviceLane.get(index);
  }

  /** What event {@code index} of the device is. */
  public Category deviceCategory(int index) {
    return Category.of(deviceDetail.get(index) & 7);
  }

  /** The bytes of a copy or fill; 0 if not said. */
  public long deviceBytes(int index) {
    int row = deviceDetail.get(index) >> 3;
    return row < 0 || deviceCategory(index) == Category.KERNEL ? 0 : copyBytes.get(row);
  }

  /** The communication of a kernel, a row; -1 if nothing is said. */
  public int deviceCommunication(int index) {
    return deviceCategory(index) == Category.KERNEL ? deviceDetail.get(index) >> 3 : -1;
  }

  /** Operators, annotations and modules. */
  public int ops() {
    return opStart.size();
  }

  /** When {@code op} began. */
  public long opStart(int op) {
    return opStart.get(op);
  }

  /** How long {@code op} took on the host. */
  public long opDuration(int op) {
    return opDuration.get(op);
  }

  /** The thread of {@code op}. */
  public int opLane(int op) {
    return opLane.get(op);
  }

  /** The number of the name of {@code op}. */
  public int opName(int op) {
    return opName.get(op);
  }

  /** What {@code op} is. */
  public Category opCategory(int op) {
    return Category.of(opDetail.get(op) & 7);
  }

  /** The communication of {@code op}, a row; -1 if nothing is said. */
  public int opCommunication(int op) {
    return opDetail.get(op) >> 3;
  }

  /** The number of the inputs of {@code op}; the same for equal inputs. */
  public int opSignature(int op) {
    return opSignature.get(op);
  }

  /** The number by which a backward operator finds its forward operator; -1 if not said. */
  public int opSequence(int op) {
    return opSequence.get(op);
  }

  /** The number of the record of {@code op} in an execution trace; 0 if not said. */
  public int opFunction(int op) {
    return opFunction.get(op);
  }

  /** Inputs by their number. */
  public Signature signature(int number) {
    return signatures.get(number);
  }

  /** Makes a number for inputs that an execution trace knows. */
  public int addSignature(Signature signature) {
    signatures.add(signature);
    return signatures.size() - 1;
  }

  /** Says that the inputs of {@code op} are those with {@code number}. */
  public void describe(int op, int number) {
    opSignature.set(op, number);
  }

  /** What a row of communication says. */
  public Communication communication(int row) {
    return communications.get(communicationKind.get(row));
  }

  /** Which collective of its group it is; -1 if not said. */
  public long sequenceInGroup(int row) {
    return communicationSeq.get(row);
  }

  /** The communicator, all 64 bits of it; 0 if not said. */
  public long communicator(int row) {
    return communicator.get(row);
  }

  /** How many different names there are. */
  public int names() {
    return names.size();
  }

  /** A name by its number. */
  public String name(int number) {
    byte[] bytes = names.get(number);
    return Text.decode(bytes, 0, bytes.length, true);
  }

  /** How many threads and streams there are. */
  public int lanes() {
    return lanes.size();
  }

  /** The process or device of a lane, as it is written. */
  public String process(int lane) {
    byte[] bytes = words.get(lanes.first(lane));
    return Text.decode(bytes, 0, bytes.length, false);
  }
}
