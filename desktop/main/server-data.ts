/** What a server answers is data. Opened as a page it may do nothing, and no page of ours takes it for a script or a style. */
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";
const RUNS = /\b(javascript|ecmascript|css|wasm|xhtml|svg)\b/i;

/** The same answer, which the window cannot run. */
export function asData(response: Response): Response {
  const { headers } = response;
  headers.set('content-security-policy', POLICY);
  headers.set('x-content-type-options', 'nosniff');
  // A policy of 'self' would let a script of a server in, by the path of its calls.
  if (RUNS.test(headers.get('content-type') ?? '')) headers.set('content-type', 'application/octet-stream');
  return response;
}
