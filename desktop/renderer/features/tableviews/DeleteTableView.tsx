import { Button } from '@blueprintjs/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { deleteTableView, listTableViews } from '#shared/contract/tableviews.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { DeleteDialog } from '#renderer/ui/DeleteDialog.tsx';
import { showError, showSuccess } from '#renderer/ui/toaster.tsx';

interface DeleteTableViewProps {
  id: number;
  name: string;
  disabled: boolean;
}

/** Delete button with its confirmation dialog. */
export function DeleteTableView({ id, name, disabled }: DeleteTableViewProps) {
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(deleteTableView, { params: { id } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keyOf(listTableViews) });
      showSuccess(t('Table view deleted'));
      await navigate('/tableviews', { replace: true });
    },
    onError: (error) => showError(toFailure(error).message),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <Button
        text={t('Delete')}
        intent="danger"
        variant="outlined"
        disabled={disabled}
        onClick={() => setAsking(true)}
      />
      <DeleteDialog isOpen={isAsking} isBusy={isPending} onCancel={() => setAsking(false)} onConfirm={() => mutate()}>
        {t('Delete the view {name}? Links to it will no longer work. Its table does not change.', { name })}
      </DeleteDialog>
    </>
  );
}
