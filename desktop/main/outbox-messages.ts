/** What pages ask of the outbox of their account, and what the person is told of it. */
import type { AnswerOf, Handlers } from '#bridge/messages.ts';
import type { OutboxEntry } from '#bridge/outbox.ts';
import type { ClientWindow } from './client.ts';
import { say } from './language.ts';

type OutboxHandlers = Pick<
  Handlers<ClientWindow>,
  'listOutbox' | 'queueStart' | 'startQueued' | 'removeQueued' | 'formOfQueued'
>;

export function outboxHandlers(): OutboxHandlers {
  const done = async (work: Promise<void> | undefined): Promise<null> => {
    await work;
    return null;
  };
  return {
    listOutbox: (window): Promise<AnswerOf<'listOutbox'>> => window.portal?.outbox.list() ?? Promise.resolve([]),
    queueStart: (window, start) =>
      window.portal?.outbox.add(start) ?? Promise.resolve({ Problem: 'This window belongs to no account' }),
    startQueued: (window, id) => done(window.portal?.outbox.startNow(id)),
    removeQueued: (window, id) => done(window.portal?.outbox.remove(id)),
    formOfQueued: (window, id) => window.portal?.outbox.formOf(id) ?? Promise.resolve(null),
  };
}

/** As a message of the system. */
export function newsOfOutbox({ ActivityName, State, Why, RunId }: OutboxEntry): {
  title: string;
  body: string;
  path: string;
} {
  if (State === 'started') {
    return {
      title: ActivityName,
      body: say('It waited for the server and was started.'),
      path: `/activities/runstatus/${RunId}/`,
    };
  }
  return { title: say('{name} was not started', { name: ActivityName }), body: Why, path: '/outbox' };
}
