import { Button, type ButtonProps } from '@blueprintjs/core';
import { useServerReason } from '#renderer/api/connection.ts';

/** A button whose action needs the server: disabled, with the reason, while it is unreachable. */
export function ServerButton({ disabled = false, title, ...props }: ButtonProps) {
  const reason = useServerReason();
  return <Button {...props} disabled={disabled || reason !== undefined} title={reason ?? title} />;
}
