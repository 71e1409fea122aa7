import { describe, expect, it } from 'vitest';
import { AppFailure, failureOfAnswer, NO_PERMISSION, toFailure } from './app-failure.ts';

describe('what a person reads of a failure', () => {
  it('is the message of the server, as calls and as uploads write it', () => {
    expect(failureOfAnswer(400, { message: 'Name must be provided' }).message).toBe('Name must be provided');
    expect(failureOfAnswer(400, { Message: 'The workbook has faults', Faults: [] }).message).toBe(
      'The workbook has faults',
    );
  });

  it('is the first word on the whole where the message is empty', () => {
    const failure = failureOfAnswer(400, { message: '', modelState: { '': ['Old password is incorrect'] } });
    expect(failure.message).toBe('Old password is incorrect');
    expect(failure.modelState).toEqual({ '': ['Old password is incorrect'] });
  });

  it('is one text for whatever is not allowed', () => {
    expect([401, 403].map((status) => failureOfAnswer(status, { message: 'x' }).message)).toEqual([
      NO_PERMISSION,
      NO_PERMISSION,
    ]);
  });

  it('says why something is not allowed where the server has a reason', () => {
    const modelState = { '': ['You cannot grant rights that you do not have'] };
    const text = `${NO_PERMISSION}. You cannot grant rights that you do not have.`;
    expect(failureOfAnswer(403, { message: 'x', modelState }).message).toBe(text);
    expect(failureOfAnswer(401, { message: 'x', modelState }).message).toBe(NO_PERMISSION);
  });

  it('is plain where the answer cannot be read or never came', () => {
    expect(failureOfAnswer(502, null).message).toBe('Unexpected error');
    const unreachable = 'Network error: The server cannot be reached. Please try again.';
    const said = ['Failed to fetch', 'Load failed', 'NetworkError when attempting to fetch resource.'];
    expect(said.map((text) => toFailure(new TypeError(text)).message)).toEqual(said.map(() => unreachable));
    expect(toFailure(new Error('Out of memory')).message).toBe('Network error: Out of memory');
    const failure = new AppFailure('x');
    expect(toFailure(failure)).toBe(failure);
  });
});
