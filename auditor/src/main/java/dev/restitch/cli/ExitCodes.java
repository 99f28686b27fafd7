package dev.restitch.cli;

/** What the exit codes mean, everywhere. */
public final class ExitCodes {

  /** Consistent, or done. */
  public static final int OK = 0;

  /** Something failed. */
  public static final int ERROR = 1;

  /** Usage, or bad input. */
  public static final int USAGE = 2;

  /** Incidents were found. */
  public static final int INCIDENTS = 3;

  /** Coverage is incomplete, or something is undecided. */
  public static final int INCOMPLETE = 4;

  private ExitCodes() {}
}
