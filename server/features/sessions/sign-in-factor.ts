/** Requests the second factor at a sign-in. */
import { AppError } from '#server/base/app-error.ts';
import type { SecondFactorService } from '#server/features/second-factor/second-factor-service.ts';
import { WRONG_CODE } from '#server/features/second-factor/factor-check-service.ts';
import type { UserRow } from '#server/features/users/users-service.ts';

/**
 * Returns undefined if the user needs no second factor or entered a correct code, and recovery codes if this sign-in
 * set up a factor. Otherwise throws AppErrors whose codes tell the client what to ask for.
 */
export type SignInFactor = (user: UserRow, code: string | undefined, address: string) => Promise<string[] | undefined>;

const ASK = 'Please enter the code of your authenticator app, or a recovery code';
const SET_UP = 'You must set up a second factor before you can continue';

export function createSignInFactor(secondFactor: SecondFactorService): SignInFactor {
  async function setUp(user: UserRow, code: string | undefined, address: string): Promise<string[]> {
    const codes = code === undefined ? null : await secondFactor.confirm(user, code, address);
    if (codes !== null) return codes;
    const setup = await secondFactor.begin(user);
    throw shown('second_factor_setup', code === undefined ? SET_UP : WRONG_CODE, { setup });
  }

  return async (user, code, address) => {
    // Directories and identity providers have their own second factors.
    if (user.Source !== 'Local') return undefined;
    try {
      if (!user.SecondFactorOn) return secondFactor.isRequiredOf(user) ? await setUp(user, code, address) : undefined;
      if (code === undefined) throw shown('second_factor_required', ASK);
      if (!(await secondFactor.accepts(user, code, address))) throw shown('second_factor_wrong', WRONG_CODE);
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError) || error.message.startsWith('display:') || error.status === 429) throw error;
      throw shown('second_factor_failed', error.message, {}, error);
    }
  };
}

function shown(code: string, text: string, answer: Record<string, unknown> = {}, cause?: unknown): AppError {
  return new AppError(code, 400, `display:${text}`, { answer, cause });
}
