/** Settings for AI assistants. */
import { Type } from 'typebox';

export const ASSISTANT_SETTINGS = {
  assistants: Type.Union([Type.Literal('off'), Type.Literal('key'), Type.Literal('signIn')], {
    default: 'off',
    group: 'Assistants',
    description:
      'Whether AI assistants may use the portal with the Model Context Protocol: not at all (off), with an API key (key), or with an API key or a grant that a person gives to an assistant (signIn). signIn requires publicUrl. See docs/assistants.md.',
  }),
  assistantGrantDays: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 365,
    group: 'Assistants',
    description:
      'How long a grant that a person gives to an assistant is valid. After this time, the person must give it again.',
  }),
};
