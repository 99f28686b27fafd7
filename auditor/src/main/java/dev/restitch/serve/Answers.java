package dev.restitch.serve;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.http.Context;

/** The forms of all answers. Stateless. */
final class Answers {

  private Answers() {}

  static void json(Context ctx, ObjectNode body) {
    ctx.contentType("application/json").result(body.toString());
  }

  /** RFC 9457. */
  static void problem(Context ctx, int status, String detail) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("status", status);
    body.put("detail", detail);
    ctx.status(status).contentType("application/problem+json").result(body.toString());
  }
}
