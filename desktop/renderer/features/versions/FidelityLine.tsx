import { Error as ErrorIcon, Help, TickCircle, WarningSign } from '@blueprintjs/icons';
import { Link } from 'react-router-dom';
import type { FidelitySummary } from '#shared/contract/fidelity-summary.ts';
import { fidelityIntent, fidelityLine } from './fidelity-text.ts';
import './fidelity-line.css';

const ICONS = { none: Help, success: TickCircle, warning: WarningSign, danger: ErrorIcon } as const;

interface FidelityLineProps {
  activityId: number;
  version: number;
  fidelity: FidelitySummary;
}

/** Says in one sentence how far the numbers of a version agree with Excel; links to the report. */
export function FidelityLine({ activityId, version, fidelity }: FidelityLineProps) {
  const intent = fidelityIntent(fidelity);
  const Icon = ICONS[intent];
  return (
    <p className={`rs-fidelity-line rs-status-${intent}`}>
      <Icon size={14} title={false} />
      <Link to={`/activities/versions/${activityId}/${version}/fidelity`}>{fidelityLine(fidelity)}</Link>
    </p>
  );
}
