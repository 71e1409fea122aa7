import { afterEach, expect, it } from 'vitest';
import messages from '#shared/messages/de/messages.json' with { type: 'json' };
import moreMessages from '#shared/messages/de/more-messages.json' with { type: 'json' };
import { createSaying } from '#shared/messages/translate-message.ts';
import { speak } from '#renderer/language/translate.ts';
import { cronText } from './cron-words.ts';

afterEach(() => speak('en', {}));

it('says in German when a cron schedule starts, with what is said of holidays', async () => {
  speak('de', {}, createSaying({}, { ...messages, ...moreMessages }));
  expect(await cronText('Every 5 minutes (UTC)', '*/5 * * * *')).toBe('Alle 5 Minuten (UTC)');
  expect(
    await cronText(
      'At 06:00, Monday through Friday; except on non-working days of Austria (Europe/Vienna)',
      '0 6 * * 1-5',
    ),
  ).toBe('Um 06:00, Montag bis Freitag; außer an arbeitsfreien Tagen von Austria (Europe/Vienna)');
});

it('leaves what it does not know as it is', async () => {
  expect(await cronText('Every 5 minutes (UTC)', '*/5 * * * *')).toBe('Every 5 minutes (UTC)');
  speak('de', {});
  expect(await cronText('Cron 1 2 3 (UTC)', '0 6 * * 1-5')).toBe('Cron 1 2 3 (UTC)');
});
