package dev.restitch.cli;

import picocli.CommandLine.IVersionProvider;

/** The version, from the jar's manifest. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version = RestitchMain.class.getPackage().getImplementationVersion();
    return new String[] {"restitch " + (version == null ? "(not packaged)" : version)};
  }
}
