import { SpanKind, SpanStatusCode, context, trace, type Span, type Tracer } from "@opentelemetry/api";

import type { CallInfo, Observer } from "./support.js";

function finish(span: Span, error: unknown): void {
  if (error !== null) {
    span.recordException(error instanceof Error ? error : JSON.stringify(error));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/** An observer that makes a span of each call, and one of each statement in it. */
export function openTelemetryObserver(tracer: Tracer = trace.getTracer("data-access")): Observer {
  const spans = new WeakMap<CallInfo, Span>();
  return {
    onCall: (call) => {
      const span = tracer.startSpan(call.query, { attributes: { "db.operation.name": call.kind } });
      spans.set(call, span);
      return (end) => {
        if (end.outcome !== null) {
          span.setAttribute("db.response.outcome", end.outcome);
        }
        finish(span, end.error);
      };
    },
    onStatement: ({ call, table, cql, statements }) => {
      const parent = spans.get(call);
      const around = parent === undefined ? context.active() : trace.setSpan(context.active(), parent);
      const attributes = {
        "db.system.name": "cassandra",
        "db.collection.name": table,
        "db.query.text": cql,
        "db.operation.batch.size": statements,
      };
      const span = tracer.startSpan(table, { kind: SpanKind.CLIENT, attributes }, around);
      return (end) => finish(span, end.error);
    },
  };
}
