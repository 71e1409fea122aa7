/** A request by a local program for a session, stored throughout the sign-in until the session handoff. */
import { create } from 'zustand';
import {
  codeDeliveryAddress,
  readAddInStart,
  type AddInRequest,
  type AddInResult,
} from '#shared/rules/add-in-request.ts';
import { addInCode } from '#shared/contract/add-in.ts';
import { ADD_IN_CODE_KEY } from '#renderer/excel/dialog-code.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { call } from '#renderer/api/client.ts';

interface AddInState {
  request: AddInRequest | null;
  /** Result of the session handoff. */
  result: AddInResult | null;
  /** True if the program is this portal's own desktop client. */
  isDesktop: boolean;
}

export const useAddIn = create<AddInState>(() => ({ request: null, result: null, isDesktop: false }));

const KEY = 'addIn';
/** Milliseconds after which a window with an unfinished request becomes an ordinary window again. */
const LIFETIME = 10 * 60_000;
const OWN_VALUES = ['c', 'challenge', 'state', 'dialog', 'result'];

/**
 * Removes the request from the page's address, or restores one that started before a sign-in elsewhere. Must be called
 * before rendering.
 */
export function readAddInRequest(): void {
  const query = new URLSearchParams(window.location.search);
  const start = readAddInStart(query);
  if (start.kind === 'none') {
    useAddIn.setState({ request: readStoredRequest() });
    return;
  }
  useAddIn.setState({ isDesktop: /^desktop(:|$)/.test(query.get('c') ?? '') });
  for (const name of OWN_VALUES) query.delete(name);
  bridge.rewriteAddress(query.size > 0 ? `?${query.toString()}` : '');
  if (start.kind === 'result') {
    finishAddIn(start.result);
    return;
  }
  bridge.window.set(KEY, JSON.stringify({ ...start.request, began: Date.now() }));
  useAddIn.setState({ request: start.request });
}

function readStoredRequest(): AddInRequest | null {
  const text = bridge.window.get(KEY);
  if (text === null) return null;
  const { began, ...request } = JSON.parse(text) as AddInRequest & { began: number };
  if (Date.now() - began < LIFETIME) return request;
  forgetAddIn();
  return null;
}

/** Makes the window an ordinary one again. */
export function forgetAddIn(): void {
  bridge.window.set(KEY, null);
  useAddIn.setState({ request: null });
}

export function finishAddIn(result: AddInResult): void {
  forgetAddIn();
  useAddIn.setState({ result });
}

/** Sends the program a code by navigating to its port; the program redirects back with the result. */
export async function sendCodeToProgram({ port, ...request }: AddInRequest & { port: number }): Promise<void> {
  const Code = await codeFor(request, false);
  // Whatever the browser shows next, this window does not ask again.
  forgetAddIn();
  bridge.leaveForProgram(codeDeliveryAddress({ port, ...request }, Code));
}

export async function codeFor(
  { kind, challenge }: Pick<AddInRequest, 'kind' | 'challenge'>,
  IsCopied: boolean,
): Promise<string> {
  const { Code } = await call(addInCode, { body: { ClientKind: kind, Challenge: challenge, IsCopied } });
  return Code;
}

/**
 * Leaves the code for the add-in's page, to which this window returns. It is passed through the window's own storage,
 * not through an address. '' if the user declined.
 */
export function passCodeToDialog({ state }: Pick<AddInRequest, 'state'>, Code: string): void {
  forgetAddIn();
  bridge.window.set(ADD_IN_CODE_KEY, JSON.stringify({ Code, State: state }));
  bridge.restartAt('excel/?handed=1');
}
