package org.stage.cli;

import java.nio.file.Path;
import java.util.List;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.profile.Profile;

/**
 * A profile that was read.
 *
 * @param file from where
 * @param importer by which importer
 * @param profile what was measured
 * @param notes what was lost, skipped or guessed
 */
record ReadProfile(Path file, String importer, Profile profile, List<Diagnostic> notes) {}
