/**
 * Signing in by the portal's own pages in a window that Excel opens: whatever one signs in with there works here. The window brings a code that
 * is good once, and for this pane alone, which knows the proof key. Source: docs/add-ins.md, decision 0027.
 */
import { ADD_IN_CODE_KEY, type DialogCode } from './dialog-code.ts';
import { asked, office, type OfficeDialog } from './office.ts';
import { portalAddress } from './session.ts';

/** What Excel calls this program at the portal. */
const KIND = 'excel';
/** Per cent of the screen. */
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

  /** By the person, who knows of it. */
  get isWanted(): boolean {
    return this.code === CLOSED_BY_PERSON;
  }
}

/** Opens the window and waits for its code; '' where the person did not agree. Throws OfficeFailure or WindowClosed. */
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
      // What belongs to no request of this pane is not listened to.
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

/** In the window: where the portal signs in. */
export function signInAddress(query: URLSearchParams): string {
  const values = { c: KIND, challenge: query.get('challenge') ?? '', state: query.get('state') ?? '', dialog: '1' };
  return `${portalAddress}?${new URLSearchParams(values).toString()}`;
}

/** In the window: the code that the portal's page has left, once. */
export function takeCode(): DialogCode | null {
  const key = `runsheet.${ADD_IN_CODE_KEY}`;
  const text = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return readAnswer(text ?? undefined);
}

/** In the window: gives the answer to the pane. */
export const tellPane = (answer: DialogCode): void => office().context.ui.messageParent(JSON.stringify(answer));
