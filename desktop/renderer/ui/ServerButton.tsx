import { Button, type ButtonProps } from '@blueprintjs/core';
import { useServerReason } from '#renderer/api/connection.ts';

/** A button whose work is done by the server: disabled, with the reason, while that is away. */
export function ServerButton({ disabled = false, title, ...props }: ButtonProps) {
  const reason = useServerReason();
  return <Button {...props} disabled={disabled || reason !== undefined} title={reason ?? title} />;
}
