import type { ButtonProps } from '@blueprintjs/core';
import { ServerButton } from './ServerButton.tsx';

/** Submits a form to the server: disabled, with the reason, while it is unreachable. The input stays in the form. */
export const SubmitButton = (props: Omit<ButtonProps, 'type'>) => (
  <ServerButton intent="primary" {...props} type="submit" />
);
