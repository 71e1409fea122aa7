/** Tests the form of a run that a link leads to. */
import { describe, expect, test } from 'vitest';
import { linkedActivities } from '#test/support/linked-activities.ts';
import { multipart } from '#test/support/portal.ts';

const links = linkedActivities();
const { get, post, write } = links;

describe('the form of a linked run', () => {
  test('says what may not be changed, also where a person has no right to an input', async () => {
    const { Activity, Link } = (await get(`linkedActivityDetails/${links.linkId}`)).body.result;
    expect(Link).toMatchObject({ Id: links.linkId, LinkedActivityName: 'Order' });
    const said = Activity.Inputs.map((one: { Name: string; ReadOnly?: boolean[]; HasAccess: boolean }) => [
      one.Name,
      one.ReadOnly,
      one.HasAccess,
    ]);
    expect(said).toEqual([
      ['Amount', [true], true],
      ['Lines', [true, false], true],
      ['Papers', [true], true],
      ['Guarded', [true], true],
    ]);
  });

  test('is described only by its own link: one of another activity, or another person’s run, is refused', async () => {
    const body = { ActivityId: links.targetId, ActivityVersion: 1, UniqueId: null, Inputs: [], LinkId: links.linkId };
    expect((await post('updateui', body)).status).toBe(200);
    expect((await post('updateui', { ...body, ActivityRunId: links.runId })).status).toBe(200);
    expect((await post('updateui', { ...body, ActivityRunId: links.runId }, links.other)).status).toBe(404);
    expect((await post('updateui', { ...body, ActivityId: links.sourceId })).status).toBe(404);
    const picked = await post(`picker/${links.sourceId}/${links.inputs['Amount']}/0`, { LinkId: links.linkId });
    expect(picked.status).toBe(404);
  });

  test('uploads for links.inputs of the linked activity alone', async () => {
    const upload = (LinkId: string) => {
      const { headers, payload } = multipart({ ActivityInputId: String(links.inputs['Papers']), LinkId }, [
        { name: 'a.txt', content: 'a' },
      ]);
      const url = '/api/files/upload';
      return links.app.http.inject({ method: 'POST', url, headers: { ...headers, ...links.owner.headers }, payload });
    };
    expect((await upload(String(links.linkId))).statusCode).toBe(200);
    const back = await write({ ActivityId: links.targetId, LinkedActivityId: links.sourceId, LinkInfo: '[]' });
    expect((await upload(String(back.body.result.Id))).statusCode).toBe(404);
    expect((await upload('x')).statusCode).toBe(400);
  });
});
