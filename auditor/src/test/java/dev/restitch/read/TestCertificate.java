package dev.restitch.read;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A key and a certificate that it signed itself, as PEM files, made by the JDK's keytool. */
final class TestCertificate {

  private static final String PASSWORD = "changeit";

  private final Path folder;

  private TestCertificate(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes one.
   *
   * @param folder where its files go
   * @param names of the server, such as {@code ip:127.0.0.1}
   */
  static TestCertificate of(Path folder, String names)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path store = folder.resolve("key.p12");
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "server",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=restitch test",
                    "-ext",
                    "san=" + names,
                    "-validity",
                    "2",
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    store.toString(),
                    "-storepass",
                    PASSWORD))
            .inheritIO()
            .start();
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool failed with " + keytool.exitValue());
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    TestCertificate certificate = new TestCertificate(folder);
    pem(
        certificate.key(),
        "PRIVATE KEY",
        keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
    pem(certificate.chain(), "CERTIFICATE", keys.getCertificate("server").getEncoded());
    return certificate;
  }

  private static void pem(Path file, String what, byte[] encoded) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
  }

  Path key() {
    return folder.resolve("key.pem");
  }

  Path chain() {
    return folder.resolve("chain.pem");
  }
}
