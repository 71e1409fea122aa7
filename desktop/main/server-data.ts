/**
 * Server responses are treated as data: opened as a page, they can do nothing, and no page of the program accepts them
 * as script or style.
 */
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";
const RUNS = /\b(javascript|ecmascript|css|wasm|xhtml|svg)\b/i;

/** Returns the response with headers that prevent the window from executing it. */
export function asData(response: Response): Response {
  const { headers } = response;
  headers.set('content-security-policy', POLICY);
  headers.set('x-content-type-options', 'nosniff');
  // A policy of 'self' would allow scripts from the server, whose calls have the same origin.
  if (RUNS.test(headers.get('content-type') ?? '')) headers.set('content-type', 'application/octet-stream');
  return response;
}
