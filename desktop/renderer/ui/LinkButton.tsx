import { AnchorButton, type AnchorButtonProps } from '@blueprintjs/core';
import type { To } from 'react-router-dom';
import { useServerReason } from '#renderer/api/connection.ts';
import { useRouterLink } from './use-router-link.ts';

type LinkButtonProps = Omit<AnchorButtonProps, 'href' | 'onClick'> & {
  to: To;
  /**
   * True to disable it, with the reason, while the server is unreachable, because the target page is useless without
   * it.
   */
  needsServer?: boolean;
};

/** A button that links to a page of the portal. */
export function LinkButton({ to, needsServer = false, disabled = false, title, ...props }: LinkButtonProps) {
  const link = useRouterLink(to);
  const reason = useServerReason();
  const why = needsServer ? reason : undefined;
  return <AnchorButton {...props} {...link} disabled={disabled || why !== undefined} title={why ?? title} />;
}
