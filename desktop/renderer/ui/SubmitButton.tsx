import type { ButtonProps } from '@blueprintjs/core';
import { ServerButton } from './ServerButton.tsx';

/** Sends a form to the server: disabled, with the reason, while that is away. What was typed stays. */
export const SubmitButton = (props: Omit<ButtonProps, 'type'>) => (
  <ServerButton intent="primary" {...props} type="submit" />
);
