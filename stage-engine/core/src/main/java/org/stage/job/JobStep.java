package org.stage.job;

/** What a step of a job computes. */
public sealed interface JobStep permits Training {}
