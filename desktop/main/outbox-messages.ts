/** Handles messages from pages about their account's outbox, and the resulting notifications for the user. */
import type { AnswerOf, Handlers } from '#bridge/messages.ts';
import type { OutboxEntry } from '#bridge/outbox.ts';
import type { ClientWindow } from './client-windows.ts';
import { say } from './language.ts';

type OutboxHandlers = Pick<
  Handlers<ClientWindow>,
  'listOutbox' | 'queueStart' | 'startQueued' | 'removeQueued' | 'formOfQueued' | 'editQueued'
>;

export function outboxHandlers(): OutboxHandlers {
  const done = async (work: Promise<void> | undefined): Promise<null> => {
    await work;
    return null;
  };
  return {
    listOutbox: (window): Promise<AnswerOf<'listOutbox'>> => window.portal?.outbox.list() ?? Promise.resolve([]),
    queueStart: (window, start) =>
      window.portal?.outbox.add(start) ??
      Promise.resolve({ Problem: say('This window does not belong to an account') }),
    startQueued: (window, id) => done(window.portal?.outbox.startNow(id)),
    removeQueued: (window, id) => done(window.portal?.outbox.remove(id)),
    editQueued: (window, id) => window.portal?.outbox.holdForEditing(id) ?? Promise.resolve(false),
    formOfQueued: (window, id) => window.portal?.outbox.formOf(id) ?? Promise.resolve(null),
  };
}

/** A system notification and the page that it opens. */
export interface OutboxNotification {
  title: string;
  body: string;
  path: string;
}

export const unreadableNotification = (count: number): OutboxNotification => ({
  title: say('Waiting starts cannot be read'),
  body: say(
    'The system keychain has lost the key of starts that waited here ({count}). Check in the history whether they were started, and start them again if not.',
    { count: String(count) },
  ),
  path: '/activities/runhistory/',
});

export function outboxNotification({ ActivityName, State, Why, RunId }: OutboxEntry): OutboxNotification {
  if (State === 'started') {
    return {
      title: ActivityName,
      body: say('It waited for the server and was started.'),
      path: `/activities/runstatus/${RunId}/`,
    };
  }
  return { title: say('{name} was not started', { name: ActivityName }), body: Why, path: '/outbox' };
}
