import { AnchorButton, type AnchorButtonProps } from '@blueprintjs/core';
import type { To } from 'react-router-dom';
import { useRouterLink } from './use-router-link.ts';

/** A button that leads to a page of the portal. */
export function LinkButton({ to, ...props }: { to: To } & Omit<AnchorButtonProps, 'href' | 'onClick'>) {
  const link = useRouterLink(to);
  return <AnchorButton {...props} {...link} />;
}
