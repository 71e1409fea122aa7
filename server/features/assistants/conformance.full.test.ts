/** The scenarios of the protocol's conformance suite that do not need the tools of its example server. */
import { execFile } from 'node:child_process';
import { createServer, request, type Server } from 'node:http';
import { mkdtemp } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { test as base } from '#test/support/fixtures/assistant-portal.ts';
import { runFolder } from '#test/support/run-folder.ts';

const SUITE = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const run = promisify(execFile);

/** The suite sends no token: this proxy adds one, and keeps everything else, also the Host. */
async function startProxy(port: number, token: string): Promise<Server> {
  const proxy = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const { method, url: path } = incoming;
    const passed = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

const test = base.extend('address', { scope: 'file' }, async ({ portal }, { onCleanup }) => {
  const { port } = portal.app.http.server.address() as AddressInfo;
  const proxy = await startProxy(port, await portal.keyOf(portal.runner));
  onCleanup(() => void proxy.close());
  return `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
});

test.for(['server-initialize', 'ping', 'tools-list', 'server-sse-multiple-streams', 'dns-rebinding-protection'])(
  'the suite’s scenario %s passes',
  async (scenario, { address }) => {
    const cwd = await mkdtemp(join(runFolder(), 'conformance-'));
    const args = [SUITE, 'server', '--url', address, '--scenario', scenario];
    const { stdout } = await run(process.execPath, args, { cwd });
    expect(stdout).toMatch(/passed/i);
  },
);
