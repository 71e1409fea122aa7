/**
 * Signs in through the portal's own pages in a window that Excel opens, so that every sign-in method of the portal
 * works. The window returns a single-use code that only this pane can redeem, because only it knows the proof key.
 * Source: docs/add-ins.md, decision 0038.
 */
import { ADD_IN_CODE_KEY, type DialogCode } from './dialog-code.ts';
import { asked, office, type OfficeDialog } from './office.ts';
import { portalAddress } from './session.ts';

/** Name of this program for the portal. */
const KIND = 'excel';
/** In percent of the screen. */
const SIZE = { height: 75, width: 45 };
const CLOSED_BY_PERSON = 12_006;

export interface SignInRequest {
  verifier: string;
  challenge: string;
  state: string;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const random = (bytes: number): string => base64url(crypto.getRandomValues(new Uint8Array(bytes)));

export async function newRequest(): Promise<SignInRequest> {
  const verifier = random(32);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return { verifier, challenge: base64url(new Uint8Array(hash)), state: random(16) };
}

/** The window ended without a code. */
export class WindowClosed extends Error {
  override readonly name = 'WindowClosed';
  readonly code: number;

  constructor(code: number) {
    super(String(code));
    this.code = code;
  }

  /** True if the user closed the window, so no message is needed. */
  get isWanted(): boolean {
    return this.code === CLOSED_BY_PERSON;
  }
}

/** Opens the window and waits for its code; '' if the user declined. Throws OfficeFailure or WindowClosed. */
export async function askForCode({ challenge, state }: SignInRequest, onOpen: (dialog: OfficeDialog) => void) {
  const { ui } = office().context;
  const address = new URL('excel/', portalAddress);
  address.search = new URLSearchParams({ dialog: '1', challenge, state }).toString();
  const dialog = await asked<OfficeDialog>((done) => ui.displayDialogAsync(address.href, SIZE, done));
  onOpen(dialog);
  return new Promise<string>((resolve, reject) => {
    dialog.addEventHandler('dialogMessageReceived', ({ message, origin }) => {
      const answer = readAnswer(message);
      const isOurs = origin === undefined || origin === new URL(portalAddress).origin;
      // Ignores messages that do not belong to a request of this pane.
      if (!isOurs || answer?.State !== state) return;
      dialog.close();
      resolve(answer.Code);
    });
    dialog.addEventHandler('dialogEventReceived', ({ error }) => reject(new WindowClosed(error ?? 0)));
  });
}

function readAnswer(message: string | undefined): DialogCode | null {
  try {
    const answer = JSON.parse(message ?? '') as Partial<DialogCode>;
    return typeof answer.Code === 'string' && typeof answer.State === 'string' ? (answer as DialogCode) : null;
  } catch {
    return null;
  }
}

/** In the window: returns the portal's sign-in address. */
export function signInAddress(query: URLSearchParams): string {
  const values = { c: KIND, challenge: query.get('challenge') ?? '', state: query.get('state') ?? '', dialog: '1' };
  return `${portalAddress}?${new URLSearchParams(values).toString()}`;
}

/** In the window: takes the code left by the portal's page; it can be taken only once. */
export function takeCode(): DialogCode | null {
  const key = `runsheet.${ADD_IN_CODE_KEY}`;
  const text = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return readAnswer(text ?? undefined);
}

/** In the window: passes the result to the pane. */
export const sendToPane = (answer: DialogCode): void => office().context.ui.messageParent(JSON.stringify(answer));
