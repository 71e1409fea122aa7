import { Button, type ButtonProps } from '@blueprintjs/core';
import { useServerReason } from '#renderer/api/connection.ts';

/** Sends a form to the server: disabled, with the reason, while that is away. What was typed stays. */
export function SubmitButton({ disabled = false, title, ...props }: Omit<ButtonProps, 'type' | 'intent'>) {
  const reason = useServerReason();
  return (
    <Button
      {...props}
      type="submit"
      intent="primary"
      disabled={disabled || reason !== undefined}
      title={reason ?? title}
    />
  );
}
