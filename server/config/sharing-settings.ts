/** Settings for sharing activities. */
import { Type } from 'typebox';

export const SHARING_SETTINGS = {
  editorsMayShare: Type.Boolean({
    default: true,
    group: 'Sharing',
    description:
      'Whether editors of an activity may share it within the rights that they hold, and decide about requests for access to it. If not, only people who manage rights may.',
  }),
};
