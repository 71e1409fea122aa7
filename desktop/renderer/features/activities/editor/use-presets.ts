import { useCallback, useState } from 'react';
import { isFileInput, parseValue, valueShape, type FormCell } from '#shared/codecs/input-form.ts';
import { activityDetails, type Activity } from '#shared/contract/activities.ts';
import { updatePresetValues } from '#shared/contract/forms.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { useSessionDraft } from '#renderer/app/use-session-draft.ts';
import { t } from '#renderer/language/translate.ts';
import { showSuccess } from '#renderer/ui/toaster.tsx';

export interface PresetEditing {
  /** Inputs that can have a preset value. */
  inputs: readonly Input[];
  values: Readonly<Record<number, FormCell>>;
  /** By input id: the server's error message for its value. */
  issues: Readonly<Record<number, string>>;
  failure: string | null;
  attempt: number;
  isUnsaved: boolean;
  isSaving: boolean;
  change: (inputId: number, value: FormCell) => void;
  save: () => void;
}

type Values = Record<number, FormCell>;

const isPresettable = ({ Info }: Input): boolean => valueShape(Info) === 'cell' && !isFileInput(Info);

/** Returns the stored preset values. A value that no longer fits is returned as the stored text. */
function presetsOf(inputs: readonly Input[]): Values {
  return Object.fromEntries(inputs.map((input) => [input.Id, presetOf(input)]));
}

function presetOf({ PresetValue, Info }: Input): FormCell {
  if (PresetValue === null) return null;
  try {
    return parseValue(Info, PresetValue) as FormCell;
  } catch {
    return PresetValue;
  }
}

const isBlank = (value: FormCell | undefined): boolean => value === undefined || value === null || value === '';

/** Holds the inputs of the newest version and the values typed for them. */
function useInputs(activity: Activity) {
  const [inputs, setInputs] = useState(() => activity.Inputs.filter(isPresettable));
  const [values, setValues] = useState(() => presetsOf(inputs));
  const [version, setVersion] = useState(activity.Version);
  if (version !== activity.Version) {
    // The procedure was updated on this page, which changes the inputs.
    const next = activity.Inputs.filter(isPresettable);
    setVersion(activity.Version);
    setInputs(next);
    setValues(presetsOf(next));
  }
  return { inputs, setInputs, values, setValues };
}

export function usePresets(activity: Activity): PresetEditing {
  const { inputs, setInputs, values, setValues } = useInputs(activity);
  const [issues, setIssues] = useState<Record<number, string>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [isSaving, setSaving] = useState(false);
  const saved = presetsOf(inputs);
  const changed = inputs.filter(({ Id }) => (isBlank(values[Id]) ? !isBlank(saved[Id]) : values[Id] !== saved[Id]));

  useSessionDraft(`presets.${activity.Id}`, changed.length > 0 ? values : null, (draft) => {
    // Restore only values of inputs that still exist.
    const own = inputs.flatMap(({ Id }) => (Id in draft ? [[Id, draft[Id]!] as const] : []));
    setValues((before) => ({ ...before, ...Object.fromEntries(own) }));
  });

  const change = useCallback(
    (id: number, value: FormCell): void => {
      setValues((before) => ({ ...before, [id]: value }));
      setIssues((before) => Object.fromEntries(Object.entries(before).filter(([key]) => Number(key) !== id)));
    },
    [setValues],
  );

  const save = async (): Promise<void> => {
    setSaving(true);
    try {
      const body = changed.map(({ Id, ActivityId }) => ({
        Id,
        ActivityId,
        PresetValue: isBlank(values[Id]) ? null : JSON.stringify(values[Id]),
      }));
      const next = (await call(updatePresetValues, { body })).filter(isPresettable);
      setInputs(next);
      setValues(presetsOf(next));
      setIssues({});
      setFailure(null);
      showSuccess(t('Saved'));
      void queryClient.invalidateQueries({ queryKey: keyOf(activityDetails) });
    } catch (error) {
      const { message, modelState } = toFailure(error);
      const found = inputs.flatMap(({ Id, Name }) => {
        const first = modelState[Name]?.[0];
        return first === undefined ? [] : [[Id, first] as const];
      });
      setIssues(Object.fromEntries(found));
      setFailure(message);
      setAttempt((count) => count + 1);
    } finally {
      setSaving(false);
    }
  };

  return {
    inputs,
    values,
    issues,
    failure,
    attempt,
    isUnsaved: changed.length > 0,
    isSaving,
    change,
    save: () => void (changed.length > 0 && !isSaving && save()),
  };
}
