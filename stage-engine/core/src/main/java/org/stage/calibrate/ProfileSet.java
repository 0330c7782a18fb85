package org.stage.calibrate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.stage.api.diagnostic.InputException;
import org.stage.api.profile.Profile;

/**
 * The profiles of one job: of several ranks, and of each rank one or more windows that follow each
 * other. A profile that does not say its rank counts as rank 0.
 */
public final class ProfileSet {
  private final Map<Integer, List<Profile>> byRank;

  private ProfileSet(Map<Integer, List<Profile>> byRank) {
    this.byRank = byRank;
  }

  /**
   * Puts profiles together.
   *
   * @param profiles at least one
   * @throws InputException if two are of the same rank and of the same time
   */
  public static ProfileSet of(List<Profile> profiles) {
    Map<Integer, List<Profile>> byRank = new TreeMap<>();
    for (Profile profile : profiles) {
      byRank.computeIfAbsent(rank(profile), rank -> new ArrayList<>()).add(profile);
    }
    byRank.forEach(ProfileSet::order);
    return new ProfileSet(byRank);
  }

  /** The rank of {@code profile}; 0 if it does not say. */
  public static int rank(Profile profile) {
    return profile.rank().orElse(0);
  }

  private static void order(int rank, List<Profile> windows) {
    windows.sort(Comparator.comparingLong(profile -> profile.span().startNs()));
    for (int i = 1; i < windows.size(); i++) {
      Profile before = windows.get(i - 1);
      Profile after = windows.get(i);
      if (after.span().startNs() < before.span().endNs() || after.span().endNs() == 0) {
        throw new InputException(
            after.source(),
            "is of rank " + rank + ", as " + before.source() + " is, and of the same time",
            "Put the rank into the names of the files, as rank3.json.gz, or leave one out.");
      }
    }
  }

  /** The ranks, ascending. */
  public List<Integer> ranks() {
    return List.copyOf(byRank.keySet());
  }

  /** The windows of {@code rank}, in order of time. */
  public List<Profile> windows(int rank) {
    return List.copyOf(byRank.getOrDefault(rank, List.of()));
  }

  /** Collectives that two ranks or more measured. */
  public List<CollectiveInstance> collectives() {
    return Pairing.of(this).stream()
        .filter(each -> each.ranks() > 1)
        .map(each -> new CollectiveInstance(each.kind(), each.shortest().durationNs()))
        .toList();
  }
}
