import { Callout } from '@blueprintjs/core';
import { Error as ErrorIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import type { ProcedureSettings } from '#shared/contract/procedure-settings.ts';
import { describeProcedure } from '#shared/contract/procedures.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { ProcedureChooser } from './ProcedureChooser.tsx';
import { ProcedureEditor } from './ProcedureEditor.tsx';
import './procedures.css';

interface ProcedurePartProps {
  procedureName: string;
  /** Null if the database's description applies. */
  settings: ProcedureSettings | null;
  onChange: (change: { ProcedureName?: string; Procedure: ProcedureSettings | null }) => void;
  error: string | null;
}

/** Part of the form of a new activity: the procedure that it runs, and how. */
export function ProcedurePart({ procedureName, settings, onChange, error }: ProcedurePartProps) {
  return (
    <>
      <ProcedureChooser
        chosen={procedureName}
        error={error}
        onChoose={(ProcedureName) => onChange({ ProcedureName, Procedure: null })}
      />
      {procedureName !== '' && (
        <Described
          key={procedureName}
          procedureName={procedureName}
          settings={settings}
          onChange={(Procedure) => onChange({ Procedure })}
        />
      )}
    </>
  );
}

interface DescribedProps {
  procedureName: string;
  settings: ProcedureSettings | null;
  onChange: (settings: ProcedureSettings) => void;
}

function Described({ procedureName, settings, onChange }: DescribedProps) {
  const { data, error, refetch } = useQuery({
    ...queryOf(describeProcedure, { body: { ProcedureName: procedureName } }),
    refetchOnReconnect: false,
  });
  if (!data) return error ? <FailureState error={error} onRetry={() => void refetch()} /> : <Skeleton kind="form" />;
  if (data.Refusals.length > 0) return <Refusals texts={data.Refusals} />;
  return <ProcedureEditor description={data} settings={settings ?? data.Settings} onChange={onChange} />;
}

export function Refusals({ texts }: { texts: readonly string[] }) {
  return (
    <Callout
      intent="danger"
      icon={<ErrorIcon />}
      title={t('This procedure cannot become an activity')}
      className="rs-procedure-callout"
    >
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Callout>
  );
}
