/** Tests creating and changing links. */
import { describe, expect, test } from 'vitest';
import { linkedActivities } from '#test/support/linked-activities.ts';

const links = linkedActivities();
const { finishedRun, get, post, mapping, write, startLink } = links;

describe('a link', () => {
  test.each([
    [{ Name: ' ' }, 'Linkage name must be provided.'],
    [{ Name: 'x'.repeat(61) }, 'Linkage name must not exceed 60 characters.'],
    [{ LinkInfo: '{"source":1}' }, 'LinkInfo must be a list of source, target and ReadOnly'],
  ])('with %o is refused', async (more, message) => {
    const { status, body } = await write(more);
    expect([status, body.message]).toEqual([400, message]);
  });

  test('between an output and an input of different types is refused, and so is an unknown one', async () => {
    const refuse = async (one: object, ...others: object[]) =>
      (await write({ LinkInfo: JSON.stringify([one, ...others]) })).body.message;
    expect(await refuse(mapping('Rows', 'Amount', [true]))).toBe(
      "'Rows' cannot become 'Amount': they are of different types",
    );
    expect(await refuse({ ...mapping('Total', 'Amount', [true]), source: links.inputs['Amount'] })).toBe(
      'The activity has no such output',
    );
    expect(await refuse({ ...mapping('Total', 'Amount', [true]), target: links.outputs['Total'] })).toBe(
      'The linked activity has no such input',
    );
    expect(await refuse(mapping('Rows', 'Lines', [true]))).toBe(
      "ReadOnly of 'Lines' must have a value for each of its columns",
    );
    const amount = mapping('Total', 'Amount', [true]);
    expect(await refuse(amount, amount)).toBe('An input can be mapped to only one output');
  });

  test('is made, changed and deleted by those who may edit the activity, and by nobody else', async () => {
    expect((await write({}, links.owner)).status).toBe(403);
    const made = await write({ Name: ' Passing ' });
    const Id: number = made.body.result.Id;
    expect((await get(`linkdetails/${Id}`, links.editor)).body.result).toMatchObject({
      Id,
      Name: 'Passing',
      LastRun: null,
    });
    expect((await get(`linkdetails/${Id}`, links.owner)).status).toBe(403);
    await write({ Id, Name: 'Renamed', LinkInfo: '[]' });
    const details = (await get(`details/${links.sourceId}`, links.editor)).body.result;
    expect(details.ActivityLinks).toContainEqual(expect.objectContaining({ Id, Name: 'Renamed', LinkInfo: '[]' }));
    expect((await write({ Id, LinkedActivityId: links.sourceId, LinkInfo: '[]' })).status).toBe(400);
    const gone = {
      Id,
      ActivityId: links.sourceId,
      LinkedActivityId: links.targetId,
      LinkInfo: '[]',
      LinkedActivityName: 'Order',
      Name: 'Renamed',
    };
    expect((await post('deletelink', gone, links.owner)).status).toBe(403);
    expect((await post('deletelink', gone, links.editor)).status).toBe(200);
    expect((await get(`linkdetails/${Id}`, links.editor)).status).toBe(404);
  });

  test('leads nowhere for a person who may not run the activity it leads to', async () => {
    const own = await finishedRun(links.sourceOnly.UserId);
    expect((await get(`status/${own}`, links.sourceOnly)).body.result.ActivityLinks).toEqual([]);
    expect((await get(`linkedActivityDetails/${links.linkId}`, links.sourceOnly)).status).toBe(404);
    expect((await startLink({ ActivityRunId: own }, links.sourceOnly)).status).toBe(404);
  });
});
