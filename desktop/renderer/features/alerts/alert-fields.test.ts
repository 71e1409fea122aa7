import { expect, test } from 'vitest';
import { channelsToSave, type TypedWebhook } from './alert-fields.ts';

const slack: TypedWebhook = { Kind: 'Slack', Host: 'hooks.slack.com', Url: '' };
const teams: TypedWebhook = { Kind: 'Teams', Host: 'example.webhook.office.com', Url: '' };
const typed: TypedWebhook = { Kind: 'Teams', Host: null, Url: 'https://example.org/hook' };

test('a channel keeps its stored address only while it is the one at its position', () => {
  expect(channelsToSave([slack, typed], [slack])).toEqual([slack, typed]);
  // Somebody else has removed the first of two channels, or all of them.
  const unaddressed = { Kind: 'Slack', Host: null, Url: '' };
  expect(channelsToSave([slack, teams], [teams])).toEqual([unaddressed, { ...unaddressed, Kind: 'Teams' }]);
  expect(channelsToSave([slack], [])).toEqual([unaddressed]);
});
