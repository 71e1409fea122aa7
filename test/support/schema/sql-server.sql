-- The migrations with the hash 9d5472105adb8523, squashed by `npm run schema`.
GO
CREATE TABLE [Migrations] (
  [id] int identity(1,1) not null primary key,
  [name] nvarchar(255) collate Latin1_General_100_BIN2,
  [batch] int,
  [migration_time] datetime2
);
CREATE TABLE [Migrations_lock] (
  [index] int identity(1,1) not null primary key,
  [is_locked] int
);
CREATE TABLE [Users] (
  [UserId] int identity(1,1) not null primary key,
  [UserName] nvarchar(50) collate Latin1_General_100_BIN2 not null,
  [UserNameKey] nvarchar(50) collate Latin1_General_100_BIN2 not null,
  [Source] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [FirstName] nvarchar(50) collate Latin1_General_100_BIN2 not null,
  [MiddleName] nvarchar(50) collate Latin1_General_100_BIN2 not null CONSTRAINT [users_middlename_default] DEFAULT '',
  [LastName] nvarchar(50) collate Latin1_General_100_BIN2 not null,
  [Email] nvarchar(256) collate Latin1_General_100_BIN2 not null CONSTRAINT [users_email_default] DEFAULT '',
  [PasswordHash] nvarchar(255) collate Latin1_General_100_BIN2,
  [MustChangePassword] bit not null CONSTRAINT [users_mustchangepassword_default] DEFAULT '0',
  [Enabled] bit not null CONSTRAINT [users_enabled_default] DEFAULT '1',
  [IsUserAdmin] bit not null CONSTRAINT [users_isuseradmin_default] DEFAULT '0',
  [CreatedTime] datetimeoffset not null CONSTRAINT [users_createdtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [LastLoginTime] datetimeoffset,
  [LastFailedLoginTime] datetimeoffset,
  [FailedLogins] int not null CONSTRAINT [users_failedlogins_default] DEFAULT '0',
  [DeletedTime] datetimeoffset,
  [SecondFactorRequired] bit not null CONSTRAINT [users_secondfactorrequired_default] DEFAULT '0',
  [SecondFactorOn] bit not null CONSTRAINT [users_secondfactoron_default] DEFAULT '0',
  [SecondFactorKey] nvarchar(max) collate Latin1_General_100_BIN2,
  [SecondFactorStep] int not null CONSTRAINT [users_secondfactorstep_default] DEFAULT '0',
  [DisableInputDownload] bit not null CONSTRAINT [users_disableinputdownload_default] DEFAULT '0',
  [Language] nvarchar(10) collate Latin1_General_100_BIN2,
  [Region] nvarchar(20) collate Latin1_General_100_BIN2
);
CREATE TABLE [Roles] (
  [Name] nvarchar(50) collate Latin1_General_100_BIN2,
  [IsActive] bit not null CONSTRAINT [roles_isactive_default] DEFAULT '1',
  CONSTRAINT [PK_Roles] PRIMARY KEY ([Name])
);
CREATE TABLE [RoleUsers] (
  [RoleName] nvarchar(50) collate Latin1_General_100_BIN2 not null,
  [UserId] int not null,
  CONSTRAINT [roleusers_rolename_foreign] FOREIGN KEY ([RoleName]) REFERENCES [Roles] ([Name]) ON DELETE CASCADE,
  CONSTRAINT [roleusers_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE,
  CONSTRAINT [PK_RoleUsers] PRIMARY KEY ([RoleName], [UserId])
);
CREATE TABLE [Grants] (
  [Id] int identity(1,1) not null primary key,
  [RightName] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [KeyColumnName] nvarchar(60) collate Latin1_General_100_BIN2 not null CONSTRAINT [grants_keycolumnname_default] DEFAULT '',
  [KeyColumnValue] nvarchar(100) collate Latin1_General_100_BIN2 not null CONSTRAINT [grants_keycolumnvalue_default] DEFAULT '',
  [GranteeKind] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [Grantee] nvarchar(50) collate Latin1_General_100_BIN2 not null CONSTRAINT [grants_grantee_default] DEFAULT '',
  [Access] smallint not null
);
CREATE TABLE [Sessions] (
  [SessionId] nvarchar(43) collate Latin1_General_100_BIN2,
  [UserId] int not null,
  [CreatedTime] datetimeoffset not null CONSTRAINT [sessions_createdtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [LastUsedTime] datetimeoffset not null CONSTRAINT [sessions_lastusedtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [EndedTime] datetimeoffset,
  [Address] nvarchar(64) collate Latin1_General_100_BIN2 not null CONSTRAINT [sessions_address_default] DEFAULT '',
  [Client] nvarchar(255) collate Latin1_General_100_BIN2 not null CONSTRAINT [sessions_client_default] DEFAULT '',
  CONSTRAINT [PK_Sessions] PRIMARY KEY ([SessionId]),
  CONSTRAINT [sessions_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE
);
CREATE TABLE [AccessTokens] (
  [TokenHash] nvarchar(43) collate Latin1_General_100_BIN2,
  [SessionId] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [ExpiryTime] datetimeoffset not null,
  [ReplacedTime] datetimeoffset,
  CONSTRAINT [PK_AccessTokens] PRIMARY KEY ([TokenHash]),
  CONSTRAINT [accesstokens_sessionid_foreign] FOREIGN KEY ([SessionId]) REFERENCES [Sessions] ([SessionId]) ON DELETE CASCADE
);
CREATE TABLE [PasswordKeys] (
  [KeyId] nvarchar(43) collate Latin1_General_100_BIN2,
  [UserNameKey] nvarchar(50) collate Latin1_General_100_BIN2 not null,
  [PrivateKey] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [ExpiryTime] datetimeoffset not null,
  CONSTRAINT [PK_PasswordKeys] PRIMARY KEY ([KeyId])
);
CREATE TABLE [Settings] (
  [Name] nvarchar(60) collate Latin1_General_100_BIN2,
  [Value] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  CONSTRAINT [PK_Settings] PRIMARY KEY ([Name])
);
CREATE TABLE [StoredFiles] (
  [FileId] nvarchar(43) collate Latin1_General_100_BIN2,
  [StoreKey] nvarchar(100) collate Latin1_General_100_BIN2 not null,
  [FileName] nvarchar(255) collate Latin1_General_100_BIN2 not null,
  [ContentLength] bigint not null,
  [Sha256] nvarchar(64) collate Latin1_General_100_BIN2 not null,
  [Purpose] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [UserId] int,
  [ActivityParameterId] int,
  [CreatedTime] datetimeoffset not null CONSTRAINT [storedfiles_createdtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [UsedTime] datetimeoffset,
  [BaseFileId] nvarchar(43) collate Latin1_General_100_BIN2,
  [Delta] nvarchar(max) collate Latin1_General_100_BIN2,
  CONSTRAINT [PK_StoredFiles] PRIMARY KEY ([FileId]),
  CONSTRAINT [storedfiles_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId])
);
CREATE TABLE [DownloadTokens] (
  [TokenHash] nvarchar(43) collate Latin1_General_100_BIN2,
  [FileId] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [ExpiryTime] datetimeoffset not null,
  [UserId] int,
  CONSTRAINT [PK_DownloadTokens] PRIMARY KEY ([TokenHash]),
  CONSTRAINT [downloadtokens_fileid_foreign] FOREIGN KEY ([FileId]) REFERENCES [StoredFiles] ([FileId]) ON DELETE CASCADE
);
CREATE TABLE [Schemas] (
  [Name] nvarchar(30) collate Latin1_General_100_BIN2,
  [DisplayName] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [Order] int not null CONSTRAINT [schemas_order_default] DEFAULT '0',
  CONSTRAINT [PK_Schemas] PRIMARY KEY ([Name])
);
CREATE TABLE [Activities] (
  [Id] int identity(1,1) not null primary key,
  [Name] nvarchar(30) collate Latin1_General_100_BIN2 not null,
  [NameKey] nvarchar(30) collate Latin1_General_100_BIN2 not null,
  [Type] nvarchar(20) collate Latin1_General_100_BIN2 not null,
  [Description] nvarchar(200) collate Latin1_General_100_BIN2 not null CONSTRAINT [activities_description_default] DEFAULT '',
  [SingleRun] bit not null,
  [IsActive] bit not null,
  [Schema] nvarchar(30) collate Latin1_General_100_BIN2 not null,
  [Group] nvarchar(30) collate Latin1_General_100_BIN2 not null CONSTRAINT [activities_group_default] DEFAULT '',
  [Function] nvarchar(30) collate Latin1_General_100_BIN2 not null CONSTRAINT [activities_function_default] DEFAULT '',
  [Order] int,
  [MemoryCost] float not null CONSTRAINT [activities_memorycost_default] DEFAULT '0',
  [DisplayInfo] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [Version] int not null,
  [Revision] int not null CONSTRAINT [activities_revision_default] DEFAULT '0',
  [Modified] datetimeoffset not null CONSTRAINT [activities_modified_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [ProcedureName] nvarchar(4000) collate Latin1_General_100_BIN2,
  [Pool] nvarchar(30) collate Latin1_General_100_BIN2 not null CONSTRAINT [activities_pool_default] DEFAULT 'default',
  [Priority] nvarchar(6) collate Latin1_General_100_BIN2 not null CONSTRAINT [activities_priority_default] DEFAULT 'Normal',
  [RunsAtOnce] int not null CONSTRAINT [activities_runsatonce_default] DEFAULT '0',
  [ForAssistants] bit not null CONSTRAINT [activities_forassistants_default] DEFAULT '0',
  CONSTRAINT [activities_schema_foreign] FOREIGN KEY ([Schema]) REFERENCES [Schemas] ([Name])
);
CREATE TABLE [ActivityVersions] (
  [ActivityId] int not null,
  [Version] int not null,
  [FileId] nvarchar(43) collate Latin1_General_100_BIN2,
  [ContentLength] bigint not null,
  [ChangeDescription] nvarchar(1000) collate Latin1_General_100_BIN2 not null CONSTRAINT [activityversions_changedescription_default] DEFAULT '',
  [Modified] datetimeoffset not null CONSTRAINT [activityversions_modified_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [UserId] int not null,
  [Definition] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [Fidelity] nvarchar(max) collate Latin1_General_100_BIN2,
  [FidelitySummary] nvarchar(200) collate Latin1_General_100_BIN2,
  CONSTRAINT [activityversions_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]),
  CONSTRAINT [activityversions_fileid_foreign] FOREIGN KEY ([FileId]) REFERENCES [StoredFiles] ([FileId]),
  CONSTRAINT [activityversions_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]),
  CONSTRAINT [PK_ActivityVersions] PRIMARY KEY ([ActivityId], [Version])
);
CREATE TABLE [ActivityParameters] (
  [Id] int identity(1,1) not null primary key,
  [ActivityId] int not null,
  [Direction] nvarchar(6) collate Latin1_General_100_BIN2 not null,
  [Name] nvarchar(255) collate Latin1_General_100_BIN2 not null,
  [NameKey] nvarchar(255) collate Latin1_General_100_BIN2 not null,
  [PresetValue] nvarchar(max) collate Latin1_General_100_BIN2,
  CONSTRAINT [activityparameters_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id])
);
GO
CREATE TABLE [ActivityRuns] (
  [Id] bigint identity(1,1) not null primary key,
  [ActivityId] int not null,
  [ActivityVersion] int not null,
  [Status] nvarchar(20) collate Latin1_General_100_BIN2 not null,
  [UserId] int not null,
  [UniqueId] nvarchar(64) collate Latin1_General_100_BIN2,
  [RetryOf] bigint,
  [MemoryCost] float not null,
  [SingleRun] bit not null CONSTRAINT [activityruns_singlerun_default] DEFAULT '0',
  [QueueTime] datetimeoffset not null CONSTRAINT [activityruns_queuetime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [PickupTime] datetimeoffset,
  [StartTime] datetimeoffset,
  [EndTime] datetimeoffset,
  [CancelTime] datetimeoffset,
  [WorkerId] nvarchar(64) collate Latin1_General_100_BIN2,
  [LeaseUntil] datetimeoffset,
  [Fence] int not null CONSTRAINT [activityruns_fence_default] DEFAULT '0',
  [Phase] nvarchar(100) collate Latin1_General_100_BIN2 not null CONSTRAINT [activityruns_phase_default] DEFAULT '',
  [Share] float,
  [InputsPurgedTime] datetimeoffset,
  [OutputsPurgedTime] datetimeoffset,
  [ActivityLinkId] int,
  [SourceRunId] bigint,
  [PublicTokenHash] nvarchar(43) collate Latin1_General_100_BIN2,
  [TurnOwner] nvarchar(64) collate Latin1_General_100_BIN2 not null CONSTRAINT [activityruns_turnowner_default] DEFAULT '',
  [Turn] int not null CONSTRAINT [activityruns_turn_default] DEFAULT '0',
  [ChecklistRunId] bigint,
  [StepKey] nvarchar(40) collate Latin1_General_100_BIN2,
  [RowKey] nvarchar(200) collate Latin1_General_100_BIN2 not null CONSTRAINT [activityruns_rowkey_default] DEFAULT '',
  [Attempt] int not null CONSTRAINT [activityruns_attempt_default] DEFAULT '1',
  [ParentRunId] bigint,
  [WaitsForSteps] bit not null CONSTRAINT [activityruns_waitsforsteps_default] DEFAULT '0',
  [NotRunBecause] nvarchar(20) collate Latin1_General_100_BIN2,
  [RowIndex] int,
  [DurationMs] as case when [EndTime] is not null then datediff_big(millisecond, coalesce([StartTime], [QueueTime]), [EndTime]) end persisted,
  [Pool] nvarchar(30) collate Latin1_General_100_BIN2 not null CONSTRAINT [activityruns_pool_default] DEFAULT 'default',
  [RunsAtOnce] int not null CONSTRAINT [activityruns_runsatonce_default] DEFAULT '0',
  [TraceParent] nvarchar(55) collate Latin1_General_100_BIN2,
  [ClientName] nvarchar(100) collate Latin1_General_100_BIN2,
  CONSTRAINT [activityruns_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]),
  CONSTRAINT [FK_ActivityRuns_Version] FOREIGN KEY ([ActivityId], [ActivityVersion]) REFERENCES [ActivityVersions] ([ActivityId], [Version])
);
GO
CREATE TABLE [RunInputs] (
  [Id] bigint identity(1,1) not null primary key,
  [ActivityRunId] bigint not null,
  [ActivityParameterId] int not null,
  [ArrayIndex] int not null CONSTRAINT [runinputs_arrayindex_default] DEFAULT '0',
  [Value] nvarchar(max) collate Latin1_General_100_BIN2,
  [Rows] int,
  [UseDefault] bit not null CONSTRAINT [runinputs_usedefault_default] DEFAULT '0',
  [HasPresetValue] bit not null CONSTRAINT [runinputs_haspresetvalue_default] DEFAULT '0',
  [FileId] nvarchar(43) collate Latin1_General_100_BIN2,
  [FileName] nvarchar(255) collate Latin1_General_100_BIN2,
  [ContentLength] bigint,
  [SearchText] as cast(lower(left(case when [FileName] is not null then N'"' + [FileName] + N'"' when [Rows] is null then [Value] end, 200)) as nvarchar(200)) persisted,
  [SearchNumber] as case when [Rows] is null and len([Value]) <= 40 then try_cast([Value] as float) end persisted,
  CONSTRAINT [runinputs_activityrunid_foreign] FOREIGN KEY ([ActivityRunId]) REFERENCES [ActivityRuns] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [runinputs_fileid_foreign] FOREIGN KEY ([FileId]) REFERENCES [StoredFiles] ([FileId])
);
GO
CREATE TABLE [RunOutputs] (
  [Id] bigint identity(1,1) not null primary key,
  [ActivityRunId] bigint not null,
  [ActivityParameterId] int,
  [ArrayIndex] int not null CONSTRAINT [runoutputs_arrayindex_default] DEFAULT '0',
  [Value] nvarchar(max) collate Latin1_General_100_BIN2,
  [Rows] int,
  [FileId] nvarchar(43) collate Latin1_General_100_BIN2,
  [FileName] nvarchar(255) collate Latin1_General_100_BIN2,
  [ContentLength] bigint,
  [SearchText] as cast(lower(left(case when [FileName] is not null then N'"' + [FileName] + N'"' when [Rows] is null then [Value] end, 200)) as nvarchar(200)) persisted,
  [SearchNumber] as case when [Rows] is null and len([Value]) <= 40 then try_cast([Value] as float) end persisted,
  CONSTRAINT [runoutputs_activityrunid_foreign] FOREIGN KEY ([ActivityRunId]) REFERENCES [ActivityRuns] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [runoutputs_fileid_foreign] FOREIGN KEY ([FileId]) REFERENCES [StoredFiles] ([FileId])
);
GO
CREATE TABLE [RunLogEntries] (
  [Id] bigint identity(1,1) not null primary key,
  [ActivityRunId] bigint not null,
  [Time] datetimeoffset not null CONSTRAINT [runlogentries_time_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [StatusCode] int not null,
  [Category] smallint not null,
  [Message] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [PromptKey] nvarchar(36) collate Latin1_General_100_BIN2,
  CONSTRAINT [runlogentries_activityrunid_foreign] FOREIGN KEY ([ActivityRunId]) REFERENCES [ActivityRuns] ([Id]) ON DELETE CASCADE
);
CREATE TABLE [ApiKeys] (
  [KeyId] nvarchar(20) collate Latin1_General_100_BIN2,
  [UserId] int not null,
  [KeyHash] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [Name] nvarchar(60) collate Latin1_General_100_BIN2 not null CONSTRAINT [apikeys_name_default] DEFAULT '',
  [CreationTime] datetimeoffset not null CONSTRAINT [apikeys_creationtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [ExpiryTime] datetimeoffset,
  [LastUsedTime] datetimeoffset,
  [Scope] nvarchar(20) collate Latin1_General_100_BIN2 not null CONSTRAINT [apikeys_scope_default] DEFAULT 'All',
  [ActivityIds] nvarchar(max) collate Latin1_General_100_BIN2 null,
  [AssistantWrites] bit not null CONSTRAINT [apikeys_assistantwrites_default] DEFAULT '0',
  CONSTRAINT [PK_ApiKeys] PRIMARY KEY ([KeyId]),
  CONSTRAINT [apikeys_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE
);
CREATE TABLE [Rights] (
  [Name] nvarchar(60) collate Latin1_General_100_BIN2,
  [Description] nvarchar(200) collate Latin1_General_100_BIN2 not null CONSTRAINT [rights_description_default] DEFAULT '',
  CONSTRAINT [PK_Rights] PRIMARY KEY ([Name])
);
CREATE TABLE [SecurityActions] (
  [Id] bigint,
  [Time] datetimeoffset not null,
  [UserId] int not null,
  [UserName] nvarchar(50) collate Latin1_General_100_BIN2 not null,
  [UserFullName] nvarchar(160) collate Latin1_General_100_BIN2 not null,
  [Action] nvarchar(30) collate Latin1_General_100_BIN2 not null,
  [TargetUserName] nvarchar(50) collate Latin1_General_100_BIN2 not null,
  [TargetRole] nvarchar(50) collate Latin1_General_100_BIN2 not null,
  [RightName] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [KeyColumnName] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [KeyColumnValue] nvarchar(100) collate Latin1_General_100_BIN2 not null,
  [Address] nvarchar(64) collate Latin1_General_100_BIN2 not null,
  [PreviousHash] nvarchar(64) collate Latin1_General_100_BIN2 not null,
  [Hash] nvarchar(64) collate Latin1_General_100_BIN2 not null,
  CONSTRAINT [PK_SecurityActions] PRIMARY KEY ([Id])
);
CREATE TABLE [ActivitySchedules] (
  [ActivityId] int,
  [UserId] int not null,
  [ScheduleType] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [TimeOfDay] float not null,
  [RetryCount] int not null,
  [RetryInterval] int not null,
  [TimeZone] nvarchar(64) collate Latin1_General_100_BIN2 not null,
  [NextTime] datetimeoffset not null,
  [PausedTime] datetimeoffset,
  CONSTRAINT [PK_ActivitySchedules] PRIMARY KEY ([ActivityId]),
  CONSTRAINT [activityschedules_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]),
  CONSTRAINT [activityschedules_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId])
);
CREATE TABLE [ScheduledRuns] (
  [ActivityRunId] bigint,
  [ActivityId] int not null,
  [UserId] int not null,
  [SlotTime] datetimeoffset not null,
  [Attempt] int not null,
  [RetryCount] int not null,
  [RetryInterval] int not null,
  [SettledTime] datetimeoffset,
  [TimetableId] int,
  CONSTRAINT [PK_ScheduledRuns] PRIMARY KEY ([ActivityRunId]),
  CONSTRAINT [scheduledruns_activityrunid_foreign] FOREIGN KEY ([ActivityRunId]) REFERENCES [ActivityRuns] ([Id]) ON DELETE CASCADE
);
CREATE TABLE [ActivityRetentions] (
  [ActivityId] int,
  [RunRetention] int,
  [RunDataRetention] int,
  [RunInputsRetention] int,
  CONSTRAINT [PK_ActivityRetentions] PRIMARY KEY ([ActivityId]),
  CONSTRAINT [activityretentions_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id])
);
CREATE TABLE [NotificationDismissals] (
  [ActivityRunId] bigint,
  [LogEntryId] bigint not null,
  [Time] datetimeoffset not null CONSTRAINT [notificationdismissals_time_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  CONSTRAINT [PK_NotificationDismissals] PRIMARY KEY ([ActivityRunId]),
  CONSTRAINT [notificationdismissals_activityrunid_foreign] FOREIGN KEY ([ActivityRunId]) REFERENCES [ActivityRuns] ([Id]) ON DELETE CASCADE
);
CREATE TABLE [RunPrompts] (
  [PromptKey] nvarchar(36) collate Latin1_General_100_BIN2,
  [ActivityRunId] bigint not null,
  [Type] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [ExpiryTime] datetimeoffset not null,
  [PublicKey] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [EncryptedAnswer] nvarchar(max) collate Latin1_General_100_BIN2,
  [AnswerTime] datetimeoffset,
  [AnswerUserId] int,
  [ClosedTime] datetimeoffset,
  CONSTRAINT [PK_RunPrompts] PRIMARY KEY ([PromptKey]),
  CONSTRAINT [runprompts_activityrunid_foreign] FOREIGN KEY ([ActivityRunId]) REFERENCES [ActivityRuns] ([Id]) ON DELETE CASCADE
);
CREATE TABLE [UserSources] (
  [SourceKey] nvarchar(43) collate Latin1_General_100_BIN2,
  [UserId] int not null,
  [SourceName] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [SourceUserName] nvarchar(256) collate Latin1_General_100_BIN2 not null,
  [SourceInfo] nvarchar(512) collate Latin1_General_100_BIN2 not null CONSTRAINT [usersources_sourceinfo_default] DEFAULT '',
  CONSTRAINT [PK_UserSources] PRIMARY KEY ([SourceKey]),
  CONSTRAINT [usersources_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE
);
CREATE TABLE [SsoRequests] (
  [StateHash] nvarchar(43) collate Latin1_General_100_BIN2,
  [Provider] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [BindingHash] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [Proof] nvarchar(500) collate Latin1_General_100_BIN2 not null,
  [Path] nvarchar(1000) collate Latin1_General_100_BIN2 not null,
  [ExpiryTime] datetimeoffset not null,
  CONSTRAINT [PK_SsoRequests] PRIMARY KEY ([StateHash])
);
CREATE TABLE [SsoTickets] (
  [OttHash] nvarchar(43) collate Latin1_General_100_BIN2,
  [BindingHash] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [UserId] int not null,
  [Provider] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [SubjectHash] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [IndexHash] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [Encrypted] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [SsoExpiry] datetimeoffset,
  [ExpiryTime] datetimeoffset not null,
  CONSTRAINT [PK_SsoTickets] PRIMARY KEY ([OttHash]),
  CONSTRAINT [ssotickets_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE
);
CREATE TABLE [UsedAssertions] (
  [AssertionHash] nvarchar(43) collate Latin1_General_100_BIN2,
  [ExpiryTime] datetimeoffset not null,
  CONSTRAINT [PK_UsedAssertions] PRIMARY KEY ([AssertionHash])
);
CREATE TABLE [SsoSessions] (
  [SessionId] nvarchar(43) collate Latin1_General_100_BIN2,
  [Provider] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [SubjectHash] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [IndexHash] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [Encrypted] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [SsoExpiry] datetimeoffset,
  CONSTRAINT [PK_SsoSessions] PRIMARY KEY ([SessionId]),
  CONSTRAINT [ssosessions_sessionid_foreign] FOREIGN KEY ([SessionId]) REFERENCES [Sessions] ([SessionId]) ON DELETE CASCADE
);
CREATE TABLE [ActivityLinks] (
  [Id] int identity(1,1) not null primary key,
  [Name] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [ActivityId] int not null,
  [LinkedActivityId] int not null,
  [LinkInfo] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  CONSTRAINT [activitylinks_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]),
  CONSTRAINT [activitylinks_linkedactivityid_foreign] FOREIGN KEY ([LinkedActivityId]) REFERENCES [Activities] ([Id])
);
CREATE TABLE [PasswordLinks] (
  [TokenHash] nvarchar(43) collate Latin1_General_100_BIN2,
  [UserId] int not null,
  [ExpiryTime] datetimeoffset not null,
  CONSTRAINT [PK_PasswordLinks] PRIMARY KEY ([TokenHash]),
  CONSTRAINT [passwordlinks_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE
);
CREATE TABLE [RecoveryCodes] (
  [CodeHash] nvarchar(43) collate Latin1_General_100_BIN2,
  [UserId] int not null,
  CONSTRAINT [PK_RecoveryCodes] PRIMARY KEY ([CodeHash]),
  CONSTRAINT [recoverycodes_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE
);
CREATE TABLE [AddInCodes] (
  [CodeHash] nvarchar(43) collate Latin1_General_100_BIN2,
  [SessionId] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [Challenge] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [ClientKind] nvarchar(40) collate Latin1_General_100_BIN2 not null,
  [ExpiryTime] datetimeoffset not null,
  CONSTRAINT [PK_AddInCodes] PRIMARY KEY ([CodeHash]),
  CONSTRAINT [addincodes_sessionid_foreign] FOREIGN KEY ([SessionId]) REFERENCES [Sessions] ([SessionId]) ON DELETE CASCADE
);
CREATE TABLE [SecurityLogTargets] (
  [Target] nvarchar(200) collate Latin1_General_100_BIN2,
  [LastId] int not null,
  CONSTRAINT [PK_SecurityLogTargets] PRIMARY KEY ([Target])
);
CREATE TABLE [FailedAttempts] (
  [KeyHash] nvarchar(43) collate Latin1_General_100_BIN2,
  [Failures] int not null,
  [LastTime] datetimeoffset not null,
  CONSTRAINT [PK_FailedAttempts] PRIMARY KEY ([KeyHash])
);
CREATE TABLE [TableViews] (
  [Id] int identity(1,1) not null primary key,
  [ConnectionName] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [TableName] nvarchar(257) collate Latin1_General_100_BIN2 not null,
  [ViewName] nvarchar(30) collate Latin1_General_100_BIN2 not null,
  [ViewInfo] nvarchar(max) collate Latin1_General_100_BIN2 not null
);
CREATE TABLE [Checklists] (
  [Id] int identity(1,1) not null primary key,
  [Name] nvarchar(100) collate Latin1_General_100_BIN2 not null,
  [Description] nvarchar(250) collate Latin1_General_100_BIN2 not null CONSTRAINT [checklists_description_default] DEFAULT '',
  [Schema] nvarchar(30) collate Latin1_General_100_BIN2 not null,
  [Group] nvarchar(30) collate Latin1_General_100_BIN2 not null CONSTRAINT [checklists_group_default] DEFAULT '',
  [Order] int,
  [UserId] int not null,
  [UniqueId] nvarchar(64) collate Latin1_General_100_BIN2,
  [Revision] int not null CONSTRAINT [checklists_revision_default] DEFAULT '1',
  [WorkflowVersion] int,
  [Modified] datetimeoffset not null CONSTRAINT [checklists_modified_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  CONSTRAINT [checklists_schema_foreign] FOREIGN KEY ([Schema]) REFERENCES [Schemas] ([Name]),
  CONSTRAINT [checklists_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId])
);
CREATE TABLE [ChecklistActivities] (
  [ChecklistId] int not null,
  [Position] int not null,
  [ActivityId] int not null,
  CONSTRAINT [checklistactivities_checklistid_foreign] FOREIGN KEY ([ChecklistId]) REFERENCES [Checklists] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [checklistactivities_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]),
  CONSTRAINT [PK_ChecklistActivities] PRIMARY KEY ([ChecklistId], [Position])
);
CREATE TABLE [ChecklistInputs] (
  [ChecklistId] int not null,
  [ActivityParameterId] int not null,
  [InputName] nvarchar(30) collate Latin1_General_100_BIN2 not null,
  [Order] int not null CONSTRAINT [checklistinputs_order_default] DEFAULT '0',
  CONSTRAINT [checklistinputs_checklistid_foreign] FOREIGN KEY ([ChecklistId]) REFERENCES [Checklists] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [checklistinputs_activityparameterid_foreign] FOREIGN KEY ([ActivityParameterId]) REFERENCES [ActivityParameters] ([Id]),
  CONSTRAINT [PK_ChecklistInputs] PRIMARY KEY ([ChecklistId], [ActivityParameterId])
);
CREATE TABLE [WorkflowVersions] (
  [ChecklistId] int not null,
  [Version] int not null,
  [Graph] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [ChangeDescription] nvarchar(1000) collate Latin1_General_100_BIN2 not null CONSTRAINT [workflowversions_changedescription_default] DEFAULT '',
  [Modified] datetimeoffset not null CONSTRAINT [workflowversions_modified_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [UserId] int not null,
  CONSTRAINT [workflowversions_checklistid_foreign] FOREIGN KEY ([ChecklistId]) REFERENCES [Checklists] ([Id]),
  CONSTRAINT [workflowversions_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]),
  CONSTRAINT [PK_WorkflowVersions] PRIMARY KEY ([ChecklistId], [Version])
);
CREATE TABLE [ChecklistPlans] (
  [Id] int identity(1,1) not null primary key,
  [Hash] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [Plan] nvarchar(max) collate Latin1_General_100_BIN2 not null
);
CREATE TABLE [ChecklistRuns] (
  [Id] bigint identity(1,1) not null primary key,
  [ChecklistId] int not null,
  [WorkflowVersion] int,
  [PlanId] int not null,
  [UserId] int not null,
  [UniqueId] nvarchar(64) collate Latin1_General_100_BIN2,
  [Status] nvarchar(20) collate Latin1_General_100_BIN2 not null,
  [QueueTime] datetimeoffset not null CONSTRAINT [checklistruns_queuetime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [EndTime] datetimeoffset,
  [CancelTime] datetimeoffset,
  [ResumeOf] bigint,
  [Inputs] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [PurgeTime] datetimeoffset,
  [IsLeftOut] bit not null CONSTRAINT [checklistruns_isleftout_default] DEFAULT '0',
  [NotStartedTime] datetimeoffset,
  CONSTRAINT [checklistruns_checklistid_foreign] FOREIGN KEY ([ChecklistId]) REFERENCES [Checklists] ([Id]),
  CONSTRAINT [checklistruns_planid_foreign] FOREIGN KEY ([PlanId]) REFERENCES [ChecklistPlans] ([Id]),
  CONSTRAINT [checklistruns_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]),
  CONSTRAINT [FK_ChecklistRuns_Version] FOREIGN KEY ([ChecklistId], [WorkflowVersion]) REFERENCES [WorkflowVersions] ([ChecklistId], [Version])
);
CREATE TABLE [ChecklistRunLogEntries] (
  [Id] bigint identity(1,1) not null primary key,
  [ChecklistRunId] bigint not null,
  [StepKey] nvarchar(40) collate Latin1_General_100_BIN2,
  [Time] datetimeoffset not null CONSTRAINT [checklistrunlogentries_time_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [StatusCode] int not null,
  [Category] smallint not null,
  [Message] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  CONSTRAINT [checklistrunlogentries_checklistrunid_foreign] FOREIGN KEY ([ChecklistRunId]) REFERENCES [ChecklistRuns] ([Id]) ON DELETE CASCADE
);
CREATE TABLE [ChecklistRunSteps] (
  [ChecklistRunId] bigint not null,
  [StepKey] nvarchar(40) collate Latin1_General_100_BIN2 not null,
  [Kind] nvarchar(20) collate Latin1_General_100_BIN2 not null,
  [Status] nvarchar(20) collate Latin1_General_100_BIN2 not null,
  [NotRunBecause] nvarchar(20) collate Latin1_General_100_BIN2,
  [Holds] bit,
  [StartTime] datetimeoffset,
  [EndTime] datetimeoffset,
  [KeptOf] bigint,
  CONSTRAINT [checklistrunsteps_checklistrunid_foreign] FOREIGN KEY ([ChecklistRunId]) REFERENCES [ChecklistRuns] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [PK_ChecklistRunSteps] PRIMARY KEY ([ChecklistRunId], [StepKey])
);
CREATE TABLE [ChecklistKeptRuns] (
  [ChecklistRunId] bigint not null,
  [StepKey] nvarchar(40) collate Latin1_General_100_BIN2 not null,
  [RowKey] nvarchar(200) collate Latin1_General_100_BIN2 not null CONSTRAINT [checklistkeptruns_rowkey_default] DEFAULT '',
  [ActivityRunId] bigint not null,
  [RowIndex] int,
  CONSTRAINT [checklistkeptruns_checklistrunid_foreign] FOREIGN KEY ([ChecklistRunId]) REFERENCES [ChecklistRuns] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [checklistkeptruns_activityrunid_foreign] FOREIGN KEY ([ActivityRunId]) REFERENCES [ActivityRuns] ([Id]),
  CONSTRAINT [PK_ChecklistKeptRuns] PRIMARY KEY ([ChecklistRunId], [StepKey], [RowKey])
);
CREATE TABLE [Approvals] (
  [Id] bigint identity(1,1) not null primary key,
  [ChecklistRunId] bigint not null,
  [StepKey] nvarchar(40) collate Latin1_General_100_BIN2 not null,
  [Name] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [Text] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [Needed] int not null,
  [OnExpiry] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [Status] nvarchar(20) collate Latin1_General_100_BIN2 not null,
  [StarterId] int not null,
  [StarterMayApprove] bit not null,
  [StartTime] datetimeoffset not null CONSTRAINT [approvals_starttime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [ExpiryTime] datetimeoffset,
  [RemindTime] datetimeoffset,
  [RemindedTime] datetimeoffset,
  [EndTime] datetimeoffset,
  [DismissedTime] datetimeoffset,
  CONSTRAINT [approvals_starterid_foreign] FOREIGN KEY ([StarterId]) REFERENCES [Users] ([UserId]),
  CONSTRAINT [FK_Approvals_Step] FOREIGN KEY ([ChecklistRunId], [StepKey]) REFERENCES [ChecklistRunSteps] ([ChecklistRunId], [StepKey]) ON DELETE CASCADE
);
CREATE TABLE [ApprovalRoles] (
  [ApprovalId] bigint not null,
  [RoleName] nvarchar(50) collate Latin1_General_100_BIN2 not null,
  CONSTRAINT [approvalroles_approvalid_foreign] FOREIGN KEY ([ApprovalId]) REFERENCES [Approvals] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [PK_ApprovalRoles] PRIMARY KEY ([ApprovalId], [RoleName])
);
CREATE TABLE [ApprovalUsers] (
  [ApprovalId] bigint not null,
  [UserId] int not null,
  CONSTRAINT [approvalusers_approvalid_foreign] FOREIGN KEY ([ApprovalId]) REFERENCES [Approvals] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [approvalusers_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]),
  CONSTRAINT [PK_ApprovalUsers] PRIMARY KEY ([ApprovalId], [UserId])
);
CREATE TABLE [ApprovalStarters] (
  [ApprovalId] bigint not null,
  [UserId] int not null,
  CONSTRAINT [approvalstarters_approvalid_foreign] FOREIGN KEY ([ApprovalId]) REFERENCES [Approvals] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [approvalstarters_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]),
  CONSTRAINT [PK_ApprovalStarters] PRIMARY KEY ([ApprovalId], [UserId])
);
CREATE TABLE [ApprovalDecisions] (
  [ApprovalId] bigint not null,
  [UserId] int not null,
  [Approved] bit not null,
  [Comment] nvarchar(1000) collate Latin1_General_100_BIN2 not null CONSTRAINT [approvaldecisions_comment_default] DEFAULT '',
  [Time] datetimeoffset not null CONSTRAINT [approvaldecisions_time_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  CONSTRAINT [approvaldecisions_approvalid_foreign] FOREIGN KEY ([ApprovalId]) REFERENCES [Approvals] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [approvaldecisions_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]),
  CONSTRAINT [PK_ApprovalDecisions] PRIMARY KEY ([ApprovalId], [UserId])
);
CREATE TABLE [ApprovalValues] (
  [ApprovalId] bigint not null,
  [Position] int not null,
  [Name] nvarchar(500) collate Latin1_General_100_BIN2 not null,
  [Info] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [Value] nvarchar(max) collate Latin1_General_100_BIN2,
  CONSTRAINT [approvalvalues_approvalid_foreign] FOREIGN KEY ([ApprovalId]) REFERENCES [Approvals] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [PK_ApprovalValues] PRIMARY KEY ([ApprovalId], [Position])
);
CREATE TABLE [ApprovalFiles] (
  [ApprovalId] bigint not null,
  [Position] int not null,
  [ArrayIndex] int not null,
  [FileId] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [FileName] nvarchar(255) collate Latin1_General_100_BIN2 not null,
  [ContentLength] bigint not null,
  CONSTRAINT [approvalfiles_approvalid_foreign] FOREIGN KEY ([ApprovalId]) REFERENCES [Approvals] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [PK_ApprovalFiles] PRIMARY KEY ([ApprovalId], [Position], [ArrayIndex])
);
CREATE TABLE [ApprovalMails] (
  [Id] bigint identity(1,1) not null primary key,
  [ApprovalId] bigint not null,
  [UserId] int not null,
  [Kind] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [DueTime] datetimeoffset not null CONSTRAINT [approvalmails_duetime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [Attempts] int not null CONSTRAINT [approvalmails_attempts_default] DEFAULT '0',
  [TakenTime] datetimeoffset,
  CONSTRAINT [approvalmails_approvalid_foreign] FOREIGN KEY ([ApprovalId]) REFERENCES [Approvals] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [approvalmails_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId])
);
CREATE TABLE [ChecklistSchedules] (
  [ChecklistId] int,
  [UserId] int not null,
  [ScheduleType] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [TimeOfDay] float not null,
  [RetryCount] int not null,
  [RetryInterval] int not null,
  [TimeZone] nvarchar(64) collate Latin1_General_100_BIN2 not null,
  [NextTime] datetimeoffset not null,
  [PausedTime] datetimeoffset,
  CONSTRAINT [PK_ChecklistSchedules] PRIMARY KEY ([ChecklistId]),
  CONSTRAINT [checklistschedules_checklistid_foreign] FOREIGN KEY ([ChecklistId]) REFERENCES [Checklists] ([Id]),
  CONSTRAINT [checklistschedules_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId])
);
CREATE TABLE [ScheduledChecklistRuns] (
  [ChecklistRunId] bigint,
  [ChecklistId] int not null,
  [UserId] int not null,
  [SlotTime] datetimeoffset not null,
  [Attempt] int not null,
  [RetryCount] int not null,
  [RetryInterval] int not null,
  [SettledTime] datetimeoffset,
  [TimetableId] int,
  CONSTRAINT [PK_ScheduledChecklistRuns] PRIMARY KEY ([ChecklistRunId]),
  CONSTRAINT [scheduledchecklistruns_checklistrunid_foreign] FOREIGN KEY ([ChecklistRunId]) REFERENCES [ChecklistRuns] ([Id]) ON DELETE CASCADE
);
CREATE TABLE [ChecklistRetentions] (
  [ChecklistId] int,
  [RunRetention] int not null,
  CONSTRAINT [PK_ChecklistRetentions] PRIMARY KEY ([ChecklistId]),
  CONSTRAINT [checklistretentions_checklistid_foreign] FOREIGN KEY ([ChecklistId]) REFERENCES [Checklists] ([Id])
);
CREATE TABLE [OwnTableViews] (
  [Id] int identity(1,1) not null primary key,
  [TableViewId] int not null,
  [UserId] int not null,
  [Name] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [NameKey] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [Choice] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  CONSTRAINT [owntableviews_tableviewid_foreign] FOREIGN KEY ([TableViewId]) REFERENCES [TableViews] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [owntableviews_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE
);
CREATE TABLE [RunStarts] (
  [ParentRunId] bigint not null,
  [StepKey] nvarchar(40) collate Latin1_General_100_BIN2 not null,
  [StepName] nvarchar(255) collate Latin1_General_100_BIN2 not null,
  [ActivityId] int not null,
  [ActivityVersion] int not null,
  [UserId] int not null,
  [RootRunId] bigint not null,
  [RowCount] int not null,
  [Rows] nvarchar(max) collate Latin1_General_100_BIN2,
  [AtOnce] int not null,
  [StopAfterFailures] int,
  [EndTime] datetimeoffset,
  CONSTRAINT [runstarts_parentrunid_foreign] FOREIGN KEY ([ParentRunId]) REFERENCES [ActivityRuns] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [runstarts_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]),
  CONSTRAINT [runstarts_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]),
  CONSTRAINT [PK_RunStarts] PRIMARY KEY ([ParentRunId], [StepKey])
);
CREATE TABLE [ActivityFavourites] (
  [UserId] int not null,
  [ActivityId] int not null,
  CONSTRAINT [activityfavourites_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE,
  CONSTRAINT [activityfavourites_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [PK_ActivityFavourites] PRIMARY KEY ([UserId], [ActivityId])
);
CREATE TABLE [ChecklistFavourites] (
  [UserId] int not null,
  [ChecklistId] int not null,
  CONSTRAINT [checklistfavourites_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE,
  CONSTRAINT [checklistfavourites_checklistid_foreign] FOREIGN KEY ([ChecklistId]) REFERENCES [Checklists] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [PK_ChecklistFavourites] PRIMARY KEY ([UserId], [ChecklistId])
);
CREATE TABLE [ChecklistRunDismissals] (
  [ChecklistRunId] bigint not null,
  [UserId] int not null,
  [Time] datetimeoffset not null CONSTRAINT [checklistrundismissals_time_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  CONSTRAINT [checklistrundismissals_checklistrunid_foreign] FOREIGN KEY ([ChecklistRunId]) REFERENCES [ChecklistRuns] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [checklistrundismissals_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]),
  CONSTRAINT [PK_ChecklistRunDismissals] PRIMARY KEY ([ChecklistRunId], [UserId])
);
CREATE TABLE [NotificationReads] (
  [ActivityRunId] bigint,
  [Time] datetimeoffset not null CONSTRAINT [notificationreads_time_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  CONSTRAINT [PK_NotificationReads] PRIMARY KEY ([ActivityRunId]),
  CONSTRAINT [notificationreads_activityrunid_foreign] FOREIGN KEY ([ActivityRunId]) REFERENCES [ActivityRuns] ([Id]) ON DELETE CASCADE
);
CREATE TABLE [SavedSearches] (
  [Id] int identity(1,1) not null primary key,
  [UserId] int not null,
  [ActivityId] int,
  [Name] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [Search] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  CONSTRAINT [savedsearches_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE,
  CONSTRAINT [savedsearches_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]) ON DELETE CASCADE
);
CREATE TABLE [InputSets] (
  [Id] int identity(1,1) not null primary key,
  [ActivityId] int not null,
  [UserId] int not null,
  [Name] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [IsShared] bit not null CONSTRAINT [inputsets_isshared_default] DEFAULT '0',
  [ModifiedTime] datetimeoffset not null CONSTRAINT [inputsets_modifiedtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [Inputs] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  CONSTRAINT [inputsets_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [inputsets_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE
);
CREATE TABLE [Servers] (
  [ServerId] nvarchar(36) collate Latin1_General_100_BIN2,
  [Name] nvarchar(100) collate Latin1_General_100_BIN2 not null,
  [Version] nvarchar(40) collate Latin1_General_100_BIN2 not null,
  [Role] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [StartedTime] datetimeoffset not null CONSTRAINT [servers_startedtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [LastTime] datetimeoffset not null CONSTRAINT [servers_lasttime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [IsDraining] bit not null,
  [Threads] int not null,
  [BusyThreads] int not null,
  [MemoryMb] int not null,
  [Processors] float not null,
  [Pools] nvarchar(1000) collate Latin1_General_100_BIN2 not null CONSTRAINT [servers_pools_default] DEFAULT '',
  [IsDrainAsked] bit not null CONSTRAINT [servers_isdrainasked_default] DEFAULT '0',
  [Runs] int not null CONSTRAINT [servers_runs_default] DEFAULT '0',
  CONSTRAINT [PK_Servers] PRIMARY KEY ([ServerId])
);
CREATE TABLE [HolidayCalendars] (
  [Id] int identity(1,1) not null primary key,
  [Name] nvarchar(100) collate Latin1_General_100_BIN2 not null,
  [Weekend] nvarchar(7) collate Latin1_General_100_BIN2 not null
);
CREATE TABLE [Holidays] (
  [CalendarId] int not null,
  [Day] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [Name] nvarchar(200) collate Latin1_General_100_BIN2 not null,
  CONSTRAINT [holidays_calendarid_foreign] FOREIGN KEY ([CalendarId]) REFERENCES [HolidayCalendars] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [PK_Holidays] PRIMARY KEY ([CalendarId], [Day])
);
CREATE TABLE [Timetables] (
  [Id] int identity(1,1) not null primary key,
  [ActivityId] int,
  [ChecklistId] int,
  [Name] nvarchar(100) collate Latin1_General_100_BIN2 not null,
  [UserId] int not null,
  [PlanText] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [InputsText] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [TimeZone] nvarchar(64) collate Latin1_General_100_BIN2 not null,
  [CalendarId] int,
  [HolidayRule] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [RetryCount] int not null,
  [RetryInterval] int not null,
  [Overlap] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [Missed] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [MissedMax] int not null,
  [NextTime] datetimeoffset not null,
  [IsWaiting] bit not null CONSTRAINT [timetables_iswaiting_default] DEFAULT '0',
  [PausedTime] datetimeoffset,
  [PausedReason] nvarchar(400) collate Latin1_General_100_BIN2,
  CONSTRAINT [timetables_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]),
  CONSTRAINT [timetables_checklistid_foreign] FOREIGN KEY ([ChecklistId]) REFERENCES [Checklists] ([Id]),
  CONSTRAINT [timetables_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]),
  CONSTRAINT [timetables_calendarid_foreign] FOREIGN KEY ([CalendarId]) REFERENCES [HolidayCalendars] ([Id])
);
CREATE TABLE [TimetableSlots] (
  [TimetableId] int not null,
  [SlotTime] datetimeoffset not null,
  [Outcome] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [Message] nvarchar(1000) collate Latin1_General_100_BIN2 not null,
  [RunId] bigint,
  CONSTRAINT [timetableslots_timetableid_foreign] FOREIGN KEY ([TimetableId]) REFERENCES [Timetables] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [PK_TimetableSlots] PRIMARY KEY ([TimetableId], [SlotTime])
);
CREATE TABLE [Webhooks] (
  [Id] int identity(1,1) not null primary key,
  [Name] nvarchar(100) collate Latin1_General_100_BIN2 not null,
  [Url] nvarchar(2000) collate Latin1_General_100_BIN2 not null,
  [OnRunEnded] bit not null,
  [OnVersionPublished] bit not null,
  [OnApprovalAsked] bit not null,
  [IsActive] bit not null,
  [EncryptedSecret] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [EncryptedOldSecret] nvarchar(max) collate Latin1_General_100_BIN2,
  [OldSecretUntil] datetimeoffset,
  [CreateTime] datetimeoffset not null CONSTRAINT [webhooks_createtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3))
);
CREATE TABLE [WebhookActivities] (
  [WebhookId] int not null,
  [ActivityId] int not null,
  CONSTRAINT [webhookactivities_webhookid_foreign] FOREIGN KEY ([WebhookId]) REFERENCES [Webhooks] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [webhookactivities_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]),
  CONSTRAINT [PK_WebhookActivities] PRIMARY KEY ([WebhookId], [ActivityId])
);
CREATE TABLE [EventCursors] (
  [Name] nvarchar(30) collate Latin1_General_100_BIN2,
  [Time] datetimeoffset not null,
  CONSTRAINT [PK_EventCursors] PRIMARY KEY ([Name])
);
CREATE TABLE [Deliveries] (
  [Id] bigint identity(1,1) not null primary key,
  [DeliveryKey] nvarchar(36) collate Latin1_General_100_BIN2 not null,
  [Channel] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [Event] nvarchar(30) collate Latin1_General_100_BIN2 not null,
  [SubjectId] bigint,
  [WebhookId] int,
  [AlertFiringId] bigint,
  [UserId] int,
  [EncryptedTarget] nvarchar(max) collate Latin1_General_100_BIN2,
  [TargetKey] nvarchar(100) collate Latin1_General_100_BIN2 not null,
  [Body] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [Status] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [Attempts] int not null CONSTRAINT [deliveries_attempts_default] DEFAULT '0',
  [CreateTime] datetimeoffset not null CONSTRAINT [deliveries_createtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [DueTime] datetimeoffset not null CONSTRAINT [deliveries_duetime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [TakenUntil] datetimeoffset,
  [EndTime] datetimeoffset,
  CONSTRAINT [deliveries_webhookid_foreign] FOREIGN KEY ([WebhookId]) REFERENCES [Webhooks] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [deliveries_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId])
);
CREATE TABLE [DeliveryAttempts] (
  [Id] bigint identity(1,1) not null primary key,
  [DeliveryId] bigint not null,
  [Time] datetimeoffset not null CONSTRAINT [deliveryattempts_time_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [Milliseconds] int not null,
  [StatusCode] int,
  [Error] nvarchar(500) collate Latin1_General_100_BIN2,
  [Answer] nvarchar(1000) collate Latin1_General_100_BIN2 not null,
  CONSTRAINT [deliveryattempts_deliveryid_foreign] FOREIGN KEY ([DeliveryId]) REFERENCES [Deliveries] ([Id]) ON DELETE CASCADE
);
CREATE TABLE [Alerts] (
  [Id] int identity(1,1) not null primary key,
  [ActivityId] int,
  [ChecklistId] int,
  [Name] nvarchar(100) collate Latin1_General_100_BIN2 not null,
  [Kind] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [Condition] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [Receivers] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [NextReceivers] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [EscalateMinutes] int,
  [EncryptedWebhooks] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [IsActive] bit not null,
  [UserId] int not null,
  [NextTime] datetimeoffset,
  [CreateTime] datetimeoffset not null CONSTRAINT [alerts_createtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [CalendarId] int,
  [Scope] nvarchar(10) collate Latin1_General_100_BIN2,
  [ScopeValue] nvarchar(200) collate Latin1_General_100_BIN2,
  CONSTRAINT [alerts_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]),
  CONSTRAINT [alerts_checklistid_foreign] FOREIGN KEY ([ChecklistId]) REFERENCES [Checklists] ([Id]),
  CONSTRAINT [alerts_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId])
);
CREATE TABLE [AlertFirings] (
  [Id] bigint identity(1,1) not null primary key,
  [AlertId] int not null,
  [Subject] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [Time] datetimeoffset not null CONSTRAINT [alertfirings_time_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [ActivityRunId] bigint,
  [ChecklistRunId] bigint,
  [Message] nvarchar(1000) collate Latin1_General_100_BIN2 not null,
  [Category] int not null,
  [IsTest] bit not null,
  [SeenTime] datetimeoffset,
  [SeenBy] int,
  [EscalateTime] datetimeoffset,
  [ActivityId] int,
  [ChecklistId] int,
  CONSTRAINT [alertfirings_alertid_foreign] FOREIGN KEY ([AlertId]) REFERENCES [Alerts] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [alertfirings_seenby_foreign] FOREIGN KEY ([SeenBy]) REFERENCES [Users] ([UserId])
);
CREATE TABLE [AlertNotices] (
  [Id] bigint identity(1,1) not null primary key,
  [AlertFiringId] bigint not null,
  [UserId] int not null,
  [ByBell] bit not null,
  [VisibleTime] datetimeoffset not null,
  [DismissedTime] datetimeoffset,
  [MailTime] datetimeoffset,
  [MailedTime] datetimeoffset,
  CONSTRAINT [alertnotices_alertfiringid_foreign] FOREIGN KEY ([AlertFiringId]) REFERENCES [AlertFirings] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [alertnotices_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId])
);
CREATE TABLE [NotificationSettings] (
  [UserId] int,
  [QuietFrom] int,
  [QuietUntil] int,
  [SummaryAt] int,
  [TimeZone] nvarchar(64) collate Latin1_General_100_BIN2 not null,
  [SummaryNext] datetimeoffset,
  [Choices] nvarchar(max) collate Latin1_General_100_BIN2,
  CONSTRAINT [PK_NotificationSettings] PRIMARY KEY ([UserId]),
  CONSTRAINT [notificationsettings_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId])
);
CREATE TABLE [TestBeds] (
  [ActivityId] int,
  [MustPass] bit not null CONSTRAINT [testbeds_mustpass_default] DEFAULT '0',
  [Checks] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  CONSTRAINT [PK_TestBeds] PRIMARY KEY ([ActivityId]),
  CONSTRAINT [testbeds_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]) ON DELETE CASCADE
);
CREATE TABLE [TestCases] (
  [Id] int identity(1,1) not null primary key,
  [ActivityId] int not null,
  [Name] nvarchar(100) collate Latin1_General_100_BIN2 not null,
  [UserId] int not null,
  [Status] nvarchar(20) collate Latin1_General_100_BIN2 not null,
  [Inputs] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [Expected] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [ModifiedTime] datetimeoffset not null CONSTRAINT [testcases_modifiedtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [Result] nvarchar(max) collate Latin1_General_100_BIN2,
  [ResultTime] datetimeoffset,
  CONSTRAINT [testcases_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [testcases_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId])
);
CREATE TABLE [RefusedVersions] (
  [Id] int identity(1,1) not null primary key,
  [ActivityId] int not null,
  [UserId] int not null,
  [Time] datetimeoffset not null CONSTRAINT [refusedversions_time_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [FileId] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [Fields] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [Report] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  CONSTRAINT [refusedversions_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [refusedversions_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]),
  CONSTRAINT [refusedversions_fileid_foreign] FOREIGN KEY ([FileId]) REFERENCES [StoredFiles] ([FileId])
);
CREATE TABLE [Batches] (
  [Id] int identity(1,1) not null primary key,
  [ActivityId] int not null,
  [ActivityVersion] int not null,
  [UserId] int not null,
  [Time] datetimeoffset not null CONSTRAINT [batches_time_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [FileName] nvarchar(255) collate Latin1_General_100_BIN2 not null,
  [RowCount] int not null,
  [BadCount] int not null,
  [Content] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [RunId] bigint,
  CONSTRAINT [batches_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]),
  CONSTRAINT [batches_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]),
  CONSTRAINT [batches_runid_foreign] FOREIGN KEY ([RunId]) REFERENCES [ActivityRuns] ([Id]) ON DELETE CASCADE
);
CREATE TABLE [Triggers] (
  [Id] int identity(1,1) not null primary key,
  [ActivityId] int,
  [ChecklistId] int,
  [Name] nvarchar(100) collate Latin1_General_100_BIN2 not null,
  [UserId] int not null,
  [Kind] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [PlanText] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [InputsText] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [TimeZone] nvarchar(64) collate Latin1_General_100_BIN2 not null,
  [Overlap] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [SourceActivityId] int,
  [SourceChecklistId] int,
  [AddressKey] nvarchar(64) collate Latin1_General_100_BIN2,
  [EncryptedSecret] nvarchar(max) collate Latin1_General_100_BIN2,
  [NextTime] datetimeoffset,
  [StateText] nvarchar(max) collate Latin1_General_100_BIN2,
  [LookMessage] nvarchar(400) collate Latin1_General_100_BIN2,
  [SinceTime] datetimeoffset not null CONSTRAINT [triggers_sincetime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [Revision] int not null CONSTRAINT [triggers_revision_default] DEFAULT '0',
  [PausedTime] datetimeoffset,
  [PausedReason] nvarchar(400) collate Latin1_General_100_BIN2,
  CONSTRAINT [triggers_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]),
  CONSTRAINT [triggers_checklistid_foreign] FOREIGN KEY ([ChecklistId]) REFERENCES [Checklists] ([Id]),
  CONSTRAINT [triggers_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]),
  CONSTRAINT [triggers_sourceactivityid_foreign] FOREIGN KEY ([SourceActivityId]) REFERENCES [Activities] ([Id]),
  CONSTRAINT [triggers_sourcechecklistid_foreign] FOREIGN KEY ([SourceChecklistId]) REFERENCES [Checklists] ([Id])
);
CREATE TABLE [TriggerEvents] (
  [Id] bigint identity(1,1) not null primary key,
  [TriggerId] int not null,
  [Subject] nvarchar(100) collate Latin1_General_100_BIN2 not null,
  [Time] datetimeoffset not null CONSTRAINT [triggerevents_time_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [Outcome] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [Message] nvarchar(1000) collate Latin1_General_100_BIN2 not null,
  [GivenText] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [FileName] nvarchar(255) collate Latin1_General_100_BIN2,
  [Sha256] nvarchar(64) collate Latin1_General_100_BIN2,
  [Depth] int not null,
  [ActivityRunId] bigint,
  [ChecklistRunId] bigint,
  CONSTRAINT [triggerevents_triggerid_foreign] FOREIGN KEY ([TriggerId]) REFERENCES [Triggers] ([Id]) ON DELETE CASCADE
);
CREATE TABLE [TriggerFiles] (
  [TriggerId] int not null,
  [FileKey] nvarchar(64) collate Latin1_General_100_BIN2 not null,
  [Sha256] nvarchar(64) collate Latin1_General_100_BIN2 not null,
  [Size] bigint not null,
  [Modified] bigint not null,
  CONSTRAINT [triggerfiles_triggerid_foreign] FOREIGN KEY ([TriggerId]) REFERENCES [Triggers] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [PK_TriggerFiles] PRIMARY KEY ([TriggerId], [FileKey], [Sha256])
);
CREATE TABLE [Dashboards] (
  [Id] int identity(1,1) not null primary key,
  [Name] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [NameKey] nvarchar(60) collate Latin1_General_100_BIN2 not null,
  [UserId] int not null,
  [Tiles] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [Revision] int not null,
  [ModifiedTime] datetimeoffset not null CONSTRAINT [dashboards_modifiedtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [PublicTokenHash] nvarchar(43) collate Latin1_General_100_BIN2,
  [PublicUserId] int,
  [PublicTime] datetimeoffset,
  [PublicExpiryTime] datetimeoffset,
  CONSTRAINT [dashboards_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]),
  CONSTRAINT [dashboards_publicuserid_foreign] FOREIGN KEY ([PublicUserId]) REFERENCES [Users] ([UserId])
);
CREATE TABLE [DashboardShares] (
  [Id] int identity(1,1) not null primary key,
  [DashboardId] int not null,
  [RoleName] nvarchar(50) collate Latin1_General_100_BIN2,
  [UserId] int,
  [CanEdit] bit not null,
  CONSTRAINT [dashboardshares_dashboardid_foreign] FOREIGN KEY ([DashboardId]) REFERENCES [Dashboards] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [dashboardshares_rolename_foreign] FOREIGN KEY ([RoleName]) REFERENCES [Roles] ([Name]) ON DELETE CASCADE,
  CONSTRAINT [dashboardshares_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId])
);
CREATE TABLE [StartPages] (
  [Id] int identity(1,1) not null primary key,
  [RoleName] nvarchar(50) collate Latin1_General_100_BIN2,
  [UserId] int,
  [DashboardId] int not null,
  CONSTRAINT [startpages_rolename_foreign] FOREIGN KEY ([RoleName]) REFERENCES [Roles] ([Name]) ON DELETE CASCADE,
  CONSTRAINT [startpages_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]),
  CONSTRAINT [startpages_dashboardid_foreign] FOREIGN KEY ([DashboardId]) REFERENCES [Dashboards] ([Id]) ON DELETE CASCADE
);
CREATE TABLE [WorkbookDesigns] (
  [Id] int identity(1,1) not null primary key,
  [UserId] int not null,
  [ActivityId] int,
  [SchemaName] nvarchar(30) collate Latin1_General_100_BIN2 not null,
  [FileId] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [Overview] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [Marks] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [Revision] int not null,
  [ModifiedTime] datetimeoffset not null CONSTRAINT [workbookdesigns_modifiedtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  CONSTRAINT [workbookdesigns_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE,
  CONSTRAINT [workbookdesigns_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [workbookdesigns_fileid_foreign] FOREIGN KEY ([FileId]) REFERENCES [StoredFiles] ([FileId])
);
CREATE TABLE [WorkbookDesignParts] (
  [DesignId] int not null,
  [Sheet] int not null,
  [Part] int not null,
  [FileId] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  CONSTRAINT [workbookdesignparts_designid_foreign] FOREIGN KEY ([DesignId]) REFERENCES [WorkbookDesigns] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [workbookdesignparts_fileid_foreign] FOREIGN KEY ([FileId]) REFERENCES [StoredFiles] ([FileId]),
  CONSTRAINT [PK_WorkbookDesignParts] PRIMARY KEY ([DesignId], [Sheet], [Part])
);
CREATE TABLE [CreationKeys] (
  [UserId] int not null,
  [UniqueId] nvarchar(64) collate Latin1_General_100_BIN2 not null,
  [RecordTable] nvarchar(40) collate Latin1_General_100_BIN2 not null,
  [RecordId] int not null,
  [ContentHash] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [CreateTime] datetimeoffset not null CONSTRAINT [creationkeys_createtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  CONSTRAINT [creationkeys_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE,
  CONSTRAINT [PK_CreationKeys] PRIMARY KEY ([UserId], [UniqueId])
);
CREATE TABLE [AccessRequests] (
  [Id] int identity(1,1) not null primary key,
  [UserId] int not null,
  [ObjectKind] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [ObjectId] bigint not null,
  [ActivityId] int,
  [Message] nvarchar(500) collate Latin1_General_100_BIN2 not null,
  [Status] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [CreateTime] datetimeoffset not null CONSTRAINT [accessrequests_createtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  [DecideTime] datetimeoffset,
  CONSTRAINT [accessrequests_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE,
  CONSTRAINT [accessrequests_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id])
);
CREATE TABLE [AccessNotices] (
  [Id] int identity(1,1) not null primary key,
  [UserId] int not null,
  [Kind] nvarchar(10) collate Latin1_General_100_BIN2 not null,
  [ActivityId] int not null,
  [ActivityRunId] bigint,
  [ByName] nvarchar(160) collate Latin1_General_100_BIN2 not null,
  [Message] nvarchar(500) collate Latin1_General_100_BIN2 not null,
  [CreateTime] datetimeoffset not null CONSTRAINT [accessnotices_createtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  CONSTRAINT [accessnotices_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE,
  CONSTRAINT [accessnotices_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id])
);
CREATE TABLE [PublicLinks] (
  [ActivityId] int,
  [ExpiryTime] datetimeoffset,
  [MaxRuns] int,
  [RunCount] int not null CONSTRAINT [publiclinks_runcount_default] DEFAULT '0',
  [CreateTime] datetimeoffset not null CONSTRAINT [publiclinks_createtime_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  CONSTRAINT [PK_PublicLinks] PRIMARY KEY ([ActivityId]),
  CONSTRAINT [publiclinks_activityid_foreign] FOREIGN KEY ([ActivityId]) REFERENCES [Activities] ([Id])
);
CREATE TABLE [AlertMutes] (
  [AlertId] int not null,
  [UserId] int not null,
  [Until] datetimeoffset,
  CONSTRAINT [alertmutes_alertid_foreign] FOREIGN KEY ([AlertId]) REFERENCES [Alerts] ([Id]) ON DELETE CASCADE,
  CONSTRAINT [alertmutes_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE,
  CONSTRAINT [PK_AlertMutes] PRIMARY KEY ([AlertId], [UserId])
);
CREATE TABLE [SucceededDismissals] (
  [UserId] int not null,
  [ActivityId] int not null,
  [ActivityRunId] bigint not null,
  CONSTRAINT [succeededdismissals_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE,
  CONSTRAINT [PK_SucceededDismissals] PRIMARY KEY ([UserId], [ActivityId])
);
CREATE TABLE [SsoTests] (
  [TokenHash] nvarchar(43) collate Latin1_General_100_BIN2,
  [BindingHash] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [UserId] int not null,
  [Report] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [ExpiryTime] datetimeoffset not null,
  CONSTRAINT [PK_SsoTests] PRIMARY KEY ([TokenHash]),
  CONSTRAINT [ssotests_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE
);
CREATE TABLE [AssistantClients] (
  [ClientId] nvarchar(40) collate Latin1_General_100_BIN2,
  [Name] nvarchar(100) collate Latin1_General_100_BIN2 not null,
  [RedirectUris] nvarchar(max) collate Latin1_General_100_BIN2 not null,
  [CreatedTime] datetimeoffset not null,
  [LastUsedTime] datetimeoffset not null,
  CONSTRAINT [PK_AssistantClients] PRIMARY KEY ([ClientId])
);
CREATE TABLE [AssistantGrants] (
  [SessionId] nvarchar(43) collate Latin1_General_100_BIN2,
  [ClientId] nvarchar(40) collate Latin1_General_100_BIN2 not null,
  [ClientName] nvarchar(100) collate Latin1_General_100_BIN2 not null,
  [Scope] nvarchar(20) collate Latin1_General_100_BIN2 not null,
  CONSTRAINT [PK_AssistantGrants] PRIMARY KEY ([SessionId]),
  CONSTRAINT [FK_AssistantGrants_SessionId] FOREIGN KEY ([SessionId]) REFERENCES [Sessions] ([SessionId]) ON DELETE CASCADE
);
CREATE TABLE [AssistantCodes] (
  [CodeHash] nvarchar(43) collate Latin1_General_100_BIN2,
  [ClientId] nvarchar(40) collate Latin1_General_100_BIN2 not null,
  [UserId] int not null,
  [RedirectUri] nvarchar(2000) collate Latin1_General_100_BIN2 not null,
  [Challenge] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [Scope] nvarchar(20) collate Latin1_General_100_BIN2 not null,
  [Address] nvarchar(64) collate Latin1_General_100_BIN2 not null,
  [ExpiryTime] datetimeoffset not null,
  [SessionId] nvarchar(43) collate Latin1_General_100_BIN2,
  CONSTRAINT [PK_AssistantCodes] PRIMARY KEY ([CodeHash]),
  CONSTRAINT [assistantcodes_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE CASCADE
);
CREATE TABLE [AssistantTokens] (
  [TokenHash] nvarchar(43) collate Latin1_General_100_BIN2,
  [SessionId] nvarchar(43) collate Latin1_General_100_BIN2 not null,
  [IsRefresh] bit not null,
  [ExpiryTime] datetimeoffset not null,
  [ReplacedTime] datetimeoffset,
  CONSTRAINT [PK_AssistantTokens] PRIMARY KEY ([TokenHash]),
  CONSTRAINT [FK_AssistantTokens_SessionId] FOREIGN KEY ([SessionId]) REFERENCES [AssistantGrants] ([SessionId]) ON DELETE CASCADE
);
CREATE TABLE [Edits] (
  [RecordTable] nvarchar(40) collate Latin1_General_100_BIN2 not null,
  [RecordKey] nvarchar(100) collate Latin1_General_100_BIN2 not null,
  [Revision] int not null,
  [UserId] int,
  [Time] datetimeoffset not null CONSTRAINT [edits_time_default] DEFAULT cast(sysdatetimeoffset() as datetimeoffset(3)),
  CONSTRAINT [edits_userid_foreign] FOREIGN KEY ([UserId]) REFERENCES [Users] ([UserId]) ON DELETE SET NULL,
  CONSTRAINT [PK_Edits] PRIMARY KEY ([RecordTable], [RecordKey])
);
GO
ALTER TABLE [Users] ADD CONSTRAINT [UX_Users_UserNameKey] UNIQUE ([UserNameKey]);
CREATE INDEX [IX_RoleUsers_UserId] ON [RoleUsers] ([UserId]);
ALTER TABLE [Grants] ADD CONSTRAINT [UX_Grants] UNIQUE ([GranteeKind], [Grantee], [RightName], [KeyColumnName], [KeyColumnValue]);
CREATE INDEX [IX_Grants_RightName] ON [Grants] ([RightName], [KeyColumnName], [KeyColumnValue]);
CREATE INDEX [IX_Sessions_UserId] ON [Sessions] ([UserId]);
CREATE INDEX [IX_AccessTokens_SessionId] ON [AccessTokens] ([SessionId]);
CREATE INDEX [IX_AccessTokens_ExpiryTime] ON [AccessTokens] ([ExpiryTime]);
CREATE INDEX [IX_PasswordKeys_ExpiryTime] ON [PasswordKeys] ([ExpiryTime]);
CREATE INDEX [IX_StoredFiles_Purpose] ON [StoredFiles] ([Purpose], [CreatedTime]);
CREATE INDEX [IX_DownloadTokens_ExpiryTime] ON [DownloadTokens] ([ExpiryTime]);
CREATE INDEX [IX_DownloadTokens_FileId] ON [DownloadTokens] ([FileId]);
ALTER TABLE [Activities] ADD CONSTRAINT [UX_Activities_Schema_NameKey] UNIQUE ([Schema], [NameKey]);
CREATE INDEX [IX_ActivityVersions_Modified] ON [ActivityVersions] ([Modified], [ActivityId], [Version]);
ALTER TABLE [ActivityParameters] ADD CONSTRAINT [UX_ActivityParameters] UNIQUE ([ActivityId], [Direction], [NameKey]);
CREATE INDEX [IX_ActivityRuns_ActivityId] ON [ActivityRuns] ([ActivityId], [Id]);
CREATE INDEX [IX_ActivityRuns_UserId] ON [ActivityRuns] ([UserId], [Id]);
CREATE INDEX [IX_ActivityRuns_UserId_ActivityId] ON [ActivityRuns] ([UserId], [ActivityId], [Id]);
CREATE INDEX [IX_ActivityRuns_Pending] ON [ActivityRuns] ([Status], [Id]) where [Status] in ('Queued', 'QueuedInSeq', 'PickedUp', 'Started');
CREATE UNIQUE INDEX [UX_ActivityRuns_UniqueId] ON [ActivityRuns] ([UserId], [UniqueId]) where [UniqueId] is not null;
CREATE INDEX [IX_RunInputs_ActivityRunId] ON [RunInputs] ([ActivityRunId]);
CREATE INDEX [IX_RunInputs_FileId] ON [RunInputs] ([FileId]);
CREATE INDEX [IX_RunOutputs_ActivityRunId] ON [RunOutputs] ([ActivityRunId]);
CREATE INDEX [IX_RunOutputs_FileId] ON [RunOutputs] ([FileId]);
CREATE INDEX [IX_RunLogEntries_ActivityRunId] ON [RunLogEntries] ([ActivityRunId], [Id]);
CREATE INDEX [IX_ApiKeys_UserId] ON [ApiKeys] ([UserId]);
CREATE INDEX [IX_ActivitySchedules_NextTime] ON [ActivitySchedules] ([NextTime]);
CREATE INDEX [IX_ActivitySchedules_UserId] ON [ActivitySchedules] ([UserId]);
CREATE INDEX [IX_ScheduledRuns_UserId] ON [ScheduledRuns] ([UserId], [ActivityRunId]);
CREATE INDEX [IX_ScheduledRuns_Open] ON [ScheduledRuns] ([ActivityId], [ActivityRunId]) where [SettledTime] is null;
CREATE INDEX [IX_ActivityRuns_RetryOf] ON [ActivityRuns] ([RetryOf]) where [RetryOf] is not null;
CREATE INDEX [IX_StoredFiles_StoreKey] ON [StoredFiles] ([StoreKey]);
CREATE INDEX [IX_RunPrompts_ActivityRunId] ON [RunPrompts] ([ActivityRunId]);
ALTER TABLE [UserSources] ADD CONSTRAINT [UX_UserSources_UserId] UNIQUE ([UserId]);
CREATE INDEX [IX_SsoRequests_ExpiryTime] ON [SsoRequests] ([ExpiryTime]);
CREATE INDEX [IX_SsoTickets_ExpiryTime] ON [SsoTickets] ([ExpiryTime]);
CREATE INDEX [IX_SsoTickets_UserId] ON [SsoTickets] ([UserId]);
CREATE INDEX [IX_UsedAssertions_ExpiryTime] ON [UsedAssertions] ([ExpiryTime]);
CREATE INDEX [IX_SsoSessions_Subject] ON [SsoSessions] ([Provider], [SubjectHash]);
CREATE INDEX [IX_ActivityLinks_ActivityId] ON [ActivityLinks] ([ActivityId]);
CREATE INDEX [IX_ActivityLinks_LinkedActivityId] ON [ActivityLinks] ([LinkedActivityId]);
CREATE INDEX [IX_ActivityRuns_ActivityLinkId] ON [ActivityRuns] ([ActivityLinkId], [Id]) where [ActivityLinkId] is not null;
CREATE INDEX [IX_RunInputs_SearchText] ON [RunInputs] ([ActivityParameterId], [SearchText], [ActivityRunId]);
CREATE INDEX [IX_RunInputs_SearchNumber] ON [RunInputs] ([ActivityParameterId], [SearchNumber], [ActivityRunId]);
CREATE INDEX [IX_RunOutputs_SearchText] ON [RunOutputs] ([ActivityParameterId], [SearchText], [ActivityRunId]);
CREATE INDEX [IX_RunOutputs_SearchNumber] ON [RunOutputs] ([ActivityParameterId], [SearchNumber], [ActivityRunId]);
CREATE INDEX [IX_ActivityRuns_Status] ON [ActivityRuns] ([Status], [Id]);
CREATE INDEX [IX_ActivityRuns_QueueTime] ON [ActivityRuns] ([QueueTime]);
CREATE INDEX [IX_PasswordLinks_UserId] ON [PasswordLinks] ([UserId]);
CREATE INDEX [IX_PasswordLinks_ExpiryTime] ON [PasswordLinks] ([ExpiryTime]);
CREATE INDEX [IX_RecoveryCodes_UserId] ON [RecoveryCodes] ([UserId]);
CREATE INDEX [IX_AddInCodes_ExpiryTime] ON [AddInCodes] ([ExpiryTime]);
CREATE INDEX [IX_AddInCodes_SessionId] ON [AddInCodes] ([SessionId]);
CREATE INDEX [IX_FailedAttempts_LastTime] ON [FailedAttempts] ([LastTime]);
CREATE INDEX [IX_ActivityRuns_Turn] ON [ActivityRuns] ([Status], [Turn], [Id]) where [Status] in ('Queued', 'PickedUp', 'Started');
CREATE INDEX [IX_ActivityRuns_QueuedCost] ON [ActivityRuns] ([Turn], [Id]) where [Status] = 'Queued' and [MemoryCost] > 0;
ALTER TABLE [TableViews] ADD CONSTRAINT [UX_TableViews] UNIQUE ([ConnectionName], [TableName], [ViewName]);
CREATE INDEX [IX_Checklists_Schema] ON [Checklists] ([Schema]);
CREATE UNIQUE INDEX [UX_Checklists_UniqueId] ON [Checklists] ([UserId], [UniqueId]) where [UniqueId] is not null;
CREATE INDEX [IX_ChecklistActivities_ActivityId] ON [ChecklistActivities] ([ActivityId]);
CREATE INDEX [IX_ChecklistInputs_ActivityParameterId] ON [ChecklistInputs] ([ActivityParameterId]);
ALTER TABLE [ChecklistPlans] ADD CONSTRAINT [UX_ChecklistPlans_Hash] UNIQUE ([Hash]);
CREATE INDEX [IX_ChecklistRuns_ChecklistId] ON [ChecklistRuns] ([ChecklistId], [Id]);
CREATE INDEX [IX_ChecklistRuns_UserId_ChecklistId] ON [ChecklistRuns] ([UserId], [ChecklistId], [Id]);
CREATE INDEX [IX_ChecklistRuns_PlanId] ON [ChecklistRuns] ([PlanId]);
CREATE INDEX [IX_ChecklistRuns_ResumeOf] ON [ChecklistRuns] ([ResumeOf]) where [ResumeOf] is not null;
CREATE INDEX [IX_ChecklistRuns_QueueTime] ON [ChecklistRuns] ([QueueTime], [Id]);
CREATE INDEX [IX_ChecklistRuns_Pending] ON [ChecklistRuns] ([Status], [Id]) where [Status] in ('Queued', 'QueuedInSeq', 'PickedUp', 'Started');
CREATE UNIQUE INDEX [UX_ChecklistRuns_UniqueId] ON [ChecklistRuns] ([UserId], [UniqueId]) where [UniqueId] is not null;
CREATE INDEX [IX_ChecklistRunLogEntries_ChecklistRunId] ON [ChecklistRunLogEntries] ([ChecklistRunId], [Id]);
CREATE INDEX [IX_ChecklistRunSteps_Started] ON [ChecklistRunSteps] ([Kind], [ChecklistRunId], [StepKey]) where [Status] = 'Started';
ALTER TABLE [ActivityRuns] ADD CONSTRAINT [activityruns_checklistrunid_foreign] FOREIGN KEY ([ChecklistRunId]) REFERENCES [ChecklistRuns] ([Id]);
CREATE UNIQUE INDEX [UX_ActivityRuns_Step] ON [ActivityRuns] ([ChecklistRunId], [StepKey], [RowKey], [Attempt]) where [ChecklistRunId] is not null;
CREATE INDEX [IX_ActivityRuns_Step] ON [ActivityRuns] ([ChecklistRunId], [StepKey], [Status], [Id]) where [ChecklistRunId] is not null;
CREATE INDEX [IX_ChecklistKeptRuns_ActivityRunId] ON [ChecklistKeptRuns] ([ActivityRunId]);
ALTER TABLE [Approvals] ADD CONSTRAINT [UX_Approvals_Step] UNIQUE ([ChecklistRunId], [StepKey]);
CREATE INDEX [IX_Approvals_ExpiryTime] ON [Approvals] ([ExpiryTime]) where [Status] = 'Open';
CREATE INDEX [IX_Approvals_RemindTime] ON [Approvals] ([RemindTime]) where [Status] = 'Open';
CREATE INDEX [IX_Approvals_Open] ON [Approvals] ([Id]) where [Status] = 'Open';
CREATE INDEX [IX_Approvals_StarterId] ON [Approvals] ([StarterId], [EndTime]);
CREATE INDEX [IX_ApprovalRoles_RoleName] ON [ApprovalRoles] ([RoleName], [ApprovalId]);
CREATE INDEX [IX_ApprovalUsers_UserId] ON [ApprovalUsers] ([UserId], [ApprovalId]);
CREATE INDEX [IX_ApprovalDecisions_UserId] ON [ApprovalDecisions] ([UserId], [ApprovalId]);
ALTER TABLE [ApprovalMails] ADD CONSTRAINT [UX_ApprovalMails] UNIQUE ([ApprovalId], [UserId], [Kind]);
CREATE INDEX [IX_ApprovalMails_Due] ON [ApprovalMails] ([DueTime], [Id]) where [TakenTime] is null;
CREATE INDEX [IX_ChecklistSchedules_NextTime] ON [ChecklistSchedules] ([NextTime]);
CREATE INDEX [IX_ChecklistSchedules_UserId] ON [ChecklistSchedules] ([UserId]);
CREATE INDEX [IX_ScheduledChecklistRuns_Open] ON [ScheduledChecklistRuns] ([ChecklistId], [ChecklistRunId]) where [SettledTime] is null;
CREATE INDEX [IX_ChecklistRuns_PurgeTime] ON [ChecklistRuns] ([PurgeTime], [Id]) where [PurgeTime] is not null;
CREATE INDEX [IX_ChecklistRuns_EndTime] ON [ChecklistRuns] ([ChecklistId], [EndTime]);
ALTER TABLE [OwnTableViews] ADD CONSTRAINT [UX_OwnTableViews] UNIQUE ([TableViewId], [UserId], [NameKey]);
CREATE INDEX [IX_OwnTableViews_UserId] ON [OwnTableViews] ([UserId]);
CREATE UNIQUE INDEX [UX_ActivityRuns_Child] ON [ActivityRuns] ([ParentRunId], [StepKey], [RowKey], [Attempt]) where [ParentRunId] is not null;
CREATE INDEX [IX_ActivityRuns_ParentRunId] ON [ActivityRuns] ([ParentRunId], [StepKey], [Status], [Id]) where [ParentRunId] is not null;
CREATE INDEX [IX_RunStarts_RootRunId] ON [RunStarts] ([RootRunId]);
CREATE INDEX [IX_RunStarts_ActivityId] ON [RunStarts] ([ActivityId]);
CREATE INDEX [IX_RunStarts_Pending] ON [RunStarts] ([EndTime], [ParentRunId]) where [EndTime] is null;
CREATE INDEX [IX_ActivityFavourites_ActivityId] ON [ActivityFavourites] ([ActivityId]);
CREATE INDEX [IX_ChecklistFavourites_ChecklistId] ON [ChecklistFavourites] ([ChecklistId]);
CREATE INDEX [IX_ActivityVersions_UserId] ON [ActivityVersions] ([UserId], [ActivityId]);
CREATE INDEX [IX_Checklists_UserId] ON [Checklists] ([UserId]);
CREATE INDEX [IX_ChecklistRuns_NotStartedTime] ON [ChecklistRuns] ([NotStartedTime], [Id]) where [NotStartedTime] is not null;
CREATE INDEX [IX_ScheduledChecklistRuns_UserId] ON [ScheduledChecklistRuns] ([UserId], [SlotTime]);
CREATE INDEX [IX_ScheduledRuns_ActivityId] ON [ScheduledRuns] ([ActivityId], [ActivityRunId]);
CREATE INDEX [IX_ScheduledChecklistRuns_ChecklistId] ON [ScheduledChecklistRuns] ([ChecklistId], [ChecklistRunId]);
CREATE INDEX [IX_ActivityRuns_DurationMs] ON [ActivityRuns] ([ActivityId], [DurationMs], [Id]);
CREATE INDEX [IX_ActivityRuns_ActivityId_Status] ON [ActivityRuns] ([ActivityId], [Status], [Id]);
CREATE INDEX [IX_ActivityRuns_ActivityVersion] ON [ActivityRuns] ([ActivityId], [ActivityVersion], [Id]);
CREATE INDEX [IX_SavedSearches_UserId] ON [SavedSearches] ([UserId], [ActivityId]);
CREATE INDEX [IX_SavedSearches_ActivityId] ON [SavedSearches] ([ActivityId]);
CREATE INDEX [IX_InputSets_ActivityId] ON [InputSets] ([ActivityId], [UserId]);
CREATE INDEX [IX_InputSets_UserId] ON [InputSets] ([UserId]);
ALTER TABLE [HolidayCalendars] ADD CONSTRAINT [UX_HolidayCalendars_Name] UNIQUE ([Name]);
CREATE INDEX [IX_Timetables_NextTime] ON [Timetables] ([NextTime]);
CREATE INDEX [IX_Timetables_UserId] ON [Timetables] ([UserId]);
CREATE INDEX [IX_Timetables_ActivityId] ON [Timetables] ([ActivityId]) where [ActivityId] is not null;
CREATE INDEX [IX_Timetables_ChecklistId] ON [Timetables] ([ChecklistId]) where [ChecklistId] is not null;
CREATE INDEX [IX_Timetables_CalendarId] ON [Timetables] ([CalendarId]) where [CalendarId] is not null;
CREATE INDEX [IX_Timetables_PausedTime] ON [Timetables] ([PausedTime]) where [PausedReason] is not null;
CREATE INDEX [IX_ScheduledRuns_TimetableId] ON [ScheduledRuns] ([ActivityId], [TimetableId], [ActivityRunId]);
CREATE INDEX [IX_ScheduledChecklistRuns_TimetableId] ON [ScheduledChecklistRuns] ([ChecklistId], [TimetableId], [ChecklistRunId]);
CREATE INDEX [IX_Deliveries_DueTime] ON [Deliveries] ([DueTime], [Id]) where [Status] = 'Waiting';
CREATE INDEX [IX_Deliveries_WebhookId] ON [Deliveries] ([WebhookId], [Id]) where [WebhookId] is not null;
CREATE INDEX [IX_Deliveries_AlertFiringId] ON [Deliveries] ([AlertFiringId]) where [AlertFiringId] is not null;
CREATE INDEX [IX_Deliveries_EndTime] ON [Deliveries] ([EndTime]) where [EndTime] is not null;
CREATE UNIQUE INDEX [UX_Deliveries_Subject] ON [Deliveries] ([WebhookId], [Event], [SubjectId]) where [SubjectId] is not null;
CREATE INDEX [IX_DeliveryAttempts_DeliveryId] ON [DeliveryAttempts] ([DeliveryId], [Id]);
CREATE INDEX [IX_ActivityRuns_EndTime] ON [ActivityRuns] ([EndTime]) where [EndTime] is not null;
CREATE INDEX [IX_Alerts_ActivityId] ON [Alerts] ([ActivityId]) where [ActivityId] is not null;
CREATE INDEX [IX_Alerts_ChecklistId] ON [Alerts] ([ChecklistId]) where [ChecklistId] is not null;
CREATE INDEX [IX_Alerts_NextTime] ON [Alerts] ([NextTime]) where [NextTime] is not null;
ALTER TABLE [AlertFirings] ADD CONSTRAINT [UX_AlertFirings_Subject] UNIQUE ([AlertId], [Subject]);
CREATE INDEX [IX_AlertFirings_AlertId] ON [AlertFirings] ([AlertId], [Id]);
CREATE INDEX [IX_AlertFirings_EscalateTime] ON [AlertFirings] ([EscalateTime]) where [EscalateTime] is not null;
ALTER TABLE [AlertNotices] ADD CONSTRAINT [UX_AlertNotices] UNIQUE ([AlertFiringId], [UserId]);
CREATE INDEX [IX_AlertNotices_UserId] ON [AlertNotices] ([UserId], [VisibleTime]);
CREATE INDEX [IX_NotificationSettings_SummaryNext] ON [NotificationSettings] ([SummaryNext]) where [SummaryNext] is not null;
CREATE INDEX [IX_TestCases_ActivityId] ON [TestCases] ([ActivityId], [Id]);
CREATE INDEX [IX_RefusedVersions_ActivityId] ON [RefusedVersions] ([ActivityId], [Id]);
CREATE INDEX [IX_RefusedVersions_FileId] ON [RefusedVersions] ([FileId]);
CREATE INDEX [IX_Batches_ActivityId] ON [Batches] ([ActivityId], [Id]);
CREATE INDEX [IX_Batches_Unstarted] ON [Batches] ([Time], [Id]) where [RunId] is null;
CREATE UNIQUE INDEX [UX_Batches_RunId] ON [Batches] ([RunId]) where [RunId] is not null;
CREATE INDEX [IX_ChecklistRuns_Notable] ON [ChecklistRuns] ([UserId], [Id]) where [Status] in ('SucceededWarn', 'Failed', 'Cancelled', 'LogicError', 'InternalError', 'Abandoned', 'NotLicensed');
CREATE INDEX [IX_Triggers_ActivityId] ON [Triggers] ([ActivityId]) where [ActivityId] is not null;
CREATE INDEX [IX_Triggers_ChecklistId] ON [Triggers] ([ChecklistId]) where [ChecklistId] is not null;
CREATE INDEX [IX_Triggers_SourceActivityId] ON [Triggers] ([SourceActivityId]) where [SourceActivityId] is not null;
CREATE INDEX [IX_Triggers_SourceChecklistId] ON [Triggers] ([SourceChecklistId]) where [SourceChecklistId] is not null;
CREATE INDEX [IX_Triggers_NextTime] ON [Triggers] ([NextTime]) where [NextTime] is not null;
CREATE INDEX [IX_Triggers_UserId] ON [Triggers] ([UserId]);
CREATE UNIQUE INDEX [UX_Triggers_AddressKey] ON [Triggers] ([AddressKey]) where [AddressKey] is not null;
ALTER TABLE [TriggerEvents] ADD CONSTRAINT [UX_TriggerEvents_Subject] UNIQUE ([TriggerId], [Subject]);
CREATE INDEX [IX_TriggerEvents_TriggerId] ON [TriggerEvents] ([TriggerId], [Id]);
CREATE INDEX [IX_TriggerEvents_Waiting] ON [TriggerEvents] ([Id]) where [Outcome] = 'Waiting';
CREATE INDEX [IX_TriggerEvents_ActivityRunId] ON [TriggerEvents] ([ActivityRunId]) where [ActivityRunId] is not null;
CREATE INDEX [IX_TriggerEvents_ChecklistRunId] ON [TriggerEvents] ([ChecklistRunId]) where [ChecklistRunId] is not null;
CREATE INDEX [IX_TriggerEvents_Time] ON [TriggerEvents] ([Time]);
CREATE UNIQUE INDEX [UX_Dashboards_PublicTokenHash] ON [Dashboards] ([PublicTokenHash]) where [PublicTokenHash] is not null;
CREATE INDEX [IX_Dashboards_UserId] ON [Dashboards] ([UserId]);
CREATE INDEX [IX_Dashboards_NameKey] ON [Dashboards] ([NameKey], [Id]);
CREATE INDEX [IX_DashboardShares_DashboardId] ON [DashboardShares] ([DashboardId]);
CREATE INDEX [IX_DashboardShares_RoleName] ON [DashboardShares] ([RoleName], [DashboardId]);
CREATE INDEX [IX_DashboardShares_UserId] ON [DashboardShares] ([UserId], [DashboardId]);
CREATE UNIQUE INDEX [UX_StartPages_RoleName] ON [StartPages] ([RoleName]) where [RoleName] is not null;
CREATE UNIQUE INDEX [UX_StartPages_UserId] ON [StartPages] ([UserId]) where [UserId] is not null;
CREATE INDEX [IX_StartPages_DashboardId] ON [StartPages] ([DashboardId]);
CREATE INDEX [IX_ActivityRuns_TurnOwner] ON [ActivityRuns] ([TurnOwner], [Pool], [Turn]) where [Status] in ('Queued', 'PickedUp', 'Started');
CREATE INDEX [IX_ActivityRuns_PoolTurn] ON [ActivityRuns] ([Pool], [Turn], [Id]) where [Status] = 'Queued';
CREATE INDEX [IX_ActivityRuns_QueuedLimited] ON [ActivityRuns] ([Pool], [Turn], [Id]) where [Status] = 'Queued' and [RunsAtOnce] > 0;
ALTER TABLE [Alerts] ADD CONSTRAINT [alerts_calendarid_foreign] FOREIGN KEY ([CalendarId]) REFERENCES [HolidayCalendars] ([Id]);
CREATE INDEX [IX_Alerts_CalendarId] ON [Alerts] ([CalendarId]) where [CalendarId] is not null;
CREATE INDEX [IX_ActivityRuns_StepsGoneWrong] ON [ActivityRuns] ([ChecklistRunId], [Id]) where [Status] in ('SucceededWarn', 'Failed', 'Cancelled', 'LogicError', 'InternalError', 'Abandoned', 'NotLicensed') and [NotRunBecause] is null and [ChecklistRunId] is not null;
ALTER TABLE [StoredFiles] ADD CONSTRAINT [FK_StoredFiles_BaseFileId] FOREIGN KEY ([BaseFileId]) REFERENCES [StoredFiles] ([FileId]);
CREATE INDEX [IX_StoredFiles_BaseFileId] ON [StoredFiles] ([BaseFileId]) where [BaseFileId] is not null;
CREATE INDEX [IX_ActivityRuns_Notable] ON [ActivityRuns] ([UserId], [Id], [QueueTime]) where [Status] in ('SucceededWarn', 'Failed', 'Cancelled', 'LogicError', 'InternalError', 'Abandoned', 'NotLicensed');
CREATE INDEX [IX_ActivityRuns_Purgeable] ON [ActivityRuns] ([ActivityId], [QueueTime]) where [EndTime] is not null and [ChecklistRunId] is null;
CREATE INDEX [IX_ActivityVersions_FileId] ON [ActivityVersions] ([FileId]) where [FileId] is not null;
CREATE INDEX [IX_WorkbookDesigns_UserId] ON [WorkbookDesigns] ([UserId], [ModifiedTime]);
CREATE INDEX [IX_WorkbookDesigns_ActivityId] ON [WorkbookDesigns] ([ActivityId]);
CREATE INDEX [IX_WorkbookDesigns_ModifiedTime] ON [WorkbookDesigns] ([ModifiedTime]);
CREATE INDEX [IX_WorkbookDesigns_FileId] ON [WorkbookDesigns] ([FileId]);
CREATE INDEX [IX_WorkbookDesignParts_FileId] ON [WorkbookDesignParts] ([FileId]);
CREATE INDEX [IX_AccessRequests_UserId] ON [AccessRequests] ([UserId], [CreateTime]);
CREATE INDEX [IX_AccessRequests_CreateTime] ON [AccessRequests] ([CreateTime]);
CREATE INDEX [IX_AccessRequests_Open] ON [AccessRequests] ([ActivityId], [Id]) where [Status] = 'Open';
CREATE INDEX [IX_AccessNotices_UserId] ON [AccessNotices] ([UserId], [Id]);
CREATE INDEX [IX_AccessNotices_CreateTime] ON [AccessNotices] ([CreateTime]);
CREATE INDEX [IX_ActivityRuns_Failed] ON [ActivityRuns] ([Id]) where [Status] in ('Failed', 'LogicError', 'InternalError', 'Abandoned', 'NotLicensed');
CREATE INDEX [IX_Alerts_UserId] ON [Alerts] ([UserId], [Id]) where [Scope] is not null;
CREATE UNIQUE INDEX [UX_Alerts_Default] ON [Alerts] ([UserId], [Scope]) where [UserId] is not null and [Scope] in ('Owner', 'Starter');
CREATE INDEX [IX_AlertFirings_Subject] ON [AlertFirings] ([Subject], [AlertId]);
CREATE INDEX [IX_AlertFirings_Time] ON [AlertFirings] ([Time]);
CREATE INDEX [IX_AlertNotices_MailTime] ON [AlertNotices] ([MailTime], [UserId]) where [MailTime] is not null;
CREATE INDEX [IX_AlertNotices_MailOfUser] ON [AlertNotices] ([UserId], [MailTime]) where [MailTime] is not null;
CREATE INDEX [IX_AlertNotices_MailedTime] ON [AlertNotices] ([UserId], [MailedTime]) where [MailedTime] is not null;
CREATE INDEX [IX_ChecklistRuns_Ended] ON [ChecklistRuns] ([EndTime], [Id]) where [EndTime] is not null;
CREATE INDEX [IX_SsoTests_ExpiryTime] ON [SsoTests] ([ExpiryTime]);
CREATE INDEX [IX_SsoTests_UserId] ON [SsoTests] ([UserId]);
CREATE INDEX [IX_AssistantClients_LastUsedTime] ON [AssistantClients] ([LastUsedTime]);
CREATE INDEX [IX_AssistantGrants_ClientId] ON [AssistantGrants] ([ClientId]);
CREATE INDEX [IX_AssistantCodes_ExpiryTime] ON [AssistantCodes] ([ExpiryTime]);
CREATE INDEX [IX_AssistantCodes_UserId] ON [AssistantCodes] ([UserId]);
CREATE INDEX [IX_AssistantTokens_SessionId] ON [AssistantTokens] ([SessionId]);
CREATE INDEX [IX_AssistantTokens_ExpiryTime] ON [AssistantTokens] ([ExpiryTime]);
CREATE INDEX [IX_Activities_ForAssistants] ON [Activities] ([ForAssistants]);
CREATE INDEX [IX_Edits_UserId] ON [Edits] ([UserId]);
GO
create view [QueueDepth] as select [Pool],
       sum(case when [Status] = 'Queued' then 1 else 0 end) as [Queued],
       sum(case when [Status] = 'Queued' then 0 else 1 end) as [Running],
       datediff_big(millisecond, min([QueueTime]), sysdatetimeoffset()) / 1000.0 as [OldestSeconds]
     from [ActivityRuns] where [Status] in ('Queued', 'PickedUp', 'Started') group by [Pool]
GO
insert into [Migrations_lock] ([is_locked]) values (0);
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0001-spine');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0002-administration');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0003-schedules');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0005-stored-file-keys');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0007-prompts');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0009-single-sign-on');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0010-links');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0011-public-runs');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0012-history-search');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0013-password-links');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0014-second-factor');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0015-add-in-codes');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0016-security-log-forwarding');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0017-input-downloads');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0020-failed-attempts');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0021-session-clients');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0024-fair-turns');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0025-table-views');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0026-checklists');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0027-procedure-names');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0028-approvals');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0029-rows-of-steps');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0030-whole-chains');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0031-own-table-views');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0032-child-runs');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0034-left-out-runs');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0037-favourites');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0040-checklist-notices');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0041-overviews');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0042-sorted-history');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0043-servers');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0044-timetables');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0047-webhooks');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0048-alerts');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0049-test-beds');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0050-batches');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0052-encrypted-columns');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0054-keys-of-activities');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0059-chains-that-tell');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0060-triggers');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0061-encrypted-secrets');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0062-dashboards');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0063-user-language');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0066-pools');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0068-alert-calendars');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0072-steps-gone-wrong');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0076-drained-servers');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0077-run-traces');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0078-file-deltas');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0079-long-histories');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0080-user-region');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0081-token-owners');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0082-workbook-designs');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0083-creation-keys');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0085-sharing');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0086-failed-runs');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0087-alert-rules');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0089-sign-in-tests');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0092-assistants');
insert into [Migrations] ([batch], [migration_time], [name]) values (1, sysutcdatetime(), N'0093-edits');
