/**
 * The pages for servers: they choose a portal, and wait for a sign-in in the browser. They are small and part of the
 * program, so they work even if a server does not answer.
 */
import type { ServerList, ServersBridge, ShownServer } from '#bridge/messages.ts';
import { button, element, type Content } from './elements.ts';
import { showFind } from './find.ts';
import { textIn } from './texts.ts';

declare global {
  interface Window {
    runsheetServers: ServersBridge;
  }
}

const bridge = window.runsheetServers;
const page = document.querySelector<HTMLElement>('#page')!;
const t = (text: string, values?: Record<string, string>): string => textIn(bridge.language, text, values);
document.documentElement.lang = bridge.language;

const alert = (text: string): HTMLElement => element('p', { role: 'alert', class: 'danger' }, text);

function show(title: string, ...content: Content): void {
  document.title = title;
  const logo = element('img', { src: './logo.svg', width: '36', height: '36', alt: '' });
  page.replaceChildren(element('header', {}, logo, element('h1', {}, title)), ...content);
}

/** Disables all buttons and inputs while the main process handles a request. A disabled control loses the focus. */
async function busy<T>(work: () => Promise<T>): Promise<T> {
  const focused = document.activeElement;
  const controls = [...page.querySelectorAll<HTMLButtonElement | HTMLInputElement>('button, input')];
  for (const control of controls) control.disabled = true;
  try {
    return await work();
  } finally {
    for (const control of controls) control.disabled = false;
    if (focused instanceof HTMLElement) focused.focus();
  }
}

const keychainWarning = (problem: string): Content =>
  problem === ''
    ? []
    : [element('p', { class: 'warning' }, `${problem}. ${t('You must sign in again after closing the program.')}`)];

function showServers({ Servers, KeychainProblem, Problem }: ServerList): void {
  const message = alert(Problem);
  const showMessage = (text: string): void => void (message.textContent = text);
  const list = element(
    'ul',
    { 'aria-label': t('Servers') },
    ...Servers.map((server) => serverItem(server, showMessage)),
  );
  show(
    t(Servers.length > 0 ? 'Servers' : 'Welcome to Runsheet'),
    ...(Servers.length > 0 ? [list] : []),
    message,
    element('h2', {}, t(Servers.length > 0 ? 'Add a server' : 'Where is your portal?')),
    addForm(showMessage),
    ...keychainWarning(KeychainProblem),
  );
  if (Servers.length === 0) page.querySelector('input')?.focus();
}

const removeId = ({ Id }: ShownServer): string => `remove-${Id}`;

function serverItem(server: ShownServer, showMessage: (text: string) => void): HTMLElement {
  const open = button('', () => void openServer(server.Id, showMessage), { class: 'server' });
  const who = server.UserName === null ? '' : ` · ${server.UserName}`;
  open.append(element('strong', {}, server.Title), element('span', {}, server.Address + who));
  const name = `${server.Title} (${server.Address}${who})`;
  const remove = button(t('Remove'), () => void confirmRemoval(server, name), {
    id: removeId(server),
    'aria-label': t('Remove {name}', { name }),
  });
  return element('li', {}, open, remove);
}

async function openServer(id: string, showMessage: (text: string) => void): Promise<void> {
  showMessage('');
  const { Problem } = await busy(() => bridge.openServer(id));
  showMessage(Problem);
}

function addForm(showMessage: (text: string) => void): HTMLElement {
  const input = element('input', { type: 'text', inputmode: 'url', autocomplete: 'off', spellcheck: 'false' });
  input.placeholder = 'portal.example.org';
  const form = element(
    'form',
    {},
    element('label', {}, element('span', {}, t('Address')), input),
    element('button', { type: 'submit', class: 'primary' }, t('Add')),
  );
  const add = async (): Promise<void> => {
    showMessage('');
    const { Id, Problem } = await busy(() => bridge.addServer(input.value));
    // The server was added although it could not be opened. The list shows it, together with the problem.
    if (Id !== null && Problem !== '') return returnToChoice();
    showMessage(Problem);
    input.focus();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void add();
  });
  return form;
}

/**
 * Returns a warning about queued starts that removing the server would delete; '' if there are none. @param count null
 * if the number is unknown
 */
function waitingText(count: number | null): string {
  if (count === null)
    return t('Starts may wait here for this server. They would be deleted without having been started.');
  if (count === 0) return '';
  return count === 1
    ? t('One start waits here for this server, and will be deleted without having been started.')
    : t('{count} starts wait here for this server, and will be deleted without having been started.', {
        count: String(count),
      });
}

async function confirmRemoval(server: ShownServer, name: string): Promise<void> {
  const waiting = waitingText(await busy(() => bridge.countWaiting(server.Id)));
  const remove = async (): Promise<void> => {
    await busy(() => bridge.removeServer(server.Id));
    await returnToChoice();
  };
  const cancel = button(t('Cancel'), () => void returnToChoice(`#${removeId(server)}`));
  show(
    t('Remove this server?'),
    element('p', {}, name),
    element(
      'p',
      {},
      t(
        'You will be signed out. Everything that this computer has stored from this server, such as drafts of forms, will be deleted.',
      ),
    ),
    ...(waiting === '' ? [] : [element('p', { class: 'warning' }, waiting)]),
    element(
      'div',
      { class: 'actions' },
      button(t('Remove'), () => void remove(), { class: 'primary' }),
      cancel,
    ),
  );
  cancel.focus();
}

async function showChoice(): Promise<void> {
  showServers(await bridge.listServers());
}

/**
 * Shows the list again after an action. The control that had the focus is no longer on the page.
 * @param selector of the control that gets the focus; by default the field for an address
 */
async function returnToChoice(selector = 'input'): Promise<void> {
  await showChoice();
  page.querySelector<HTMLElement>(selector)?.focus();
}

/** Shows the sign-in of this window. If the window waits for no sign-in, the list of servers is shown. */
async function showWaiting(): Promise<void> {
  const waiting = await bridge.signInWaiting();
  if (waiting === null) return showChoice();
  show(
    t('Sign in to {title}', { title: waiting.Title }),
    element('p', { role: 'status' }, t('Your browser has opened. Sign in there and choose Continue.')),
    element('p', { class: 'muted' }, waiting.Address),
    element(
      'div',
      { class: 'actions' },
      button(t('Open the browser again'), () => void bridge.openBrowserAgain(), { class: 'primary' }),
      button(t('Cancel'), () => void bridge.cancelSignIn()),
    ),
  );
}

const { pathname } = window.location;
if (pathname === '/find') showFind(page, bridge, t);
else void (pathname === '/waiting' ? showWaiting() : showChoice());
