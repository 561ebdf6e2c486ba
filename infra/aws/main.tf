data "aws_caller_identity" "here" {}
data "aws_region" "here" {}
data "aws_partition" "here" {}

locals {
  bucket = "${var.name}-${data.aws_caller_identity.here.account_id}"
  lanes  = toset(["plan", "execute", "audit", "supervise"])
  # Whom the router rings for. Their names are those of src/stores/s3/bell.ts.
  ends = merge(
    { for lane in local.lanes : "lane-${lane}" => lane },
    { for agent in var.agents : "agent-${agent}" => agent },
    { for runtime in var.runtimes : "runtime-${runtime}" => runtime },
  )
  # The same file twice: what hears rings must be quick, what puts things right may take its time.
  functions = { router = { timeout = 60 }, recoverer = { timeout = 300 } }
  # How long versions of objects that were replaced or deleted are kept, in days. A renewal writes the head again, a delivery the hint.
  kept = merge(
    { for kind in ["h", "m", "n", "x"] : kind => 1 },
    { for kind in ["b", "s", "f", "k", "w"] : kind => var.noncurrent_days },
  )
  region  = data.aws_region.here.name
  account = data.aws_caller_identity.here.account_id
  queue   = "https://sqs.${local.region}.${data.aws_partition.here.dns_suffix}/${local.account}/${var.name}"
  store   = "aws://${local.bucket}/${var.prefix}?region=${local.region}&queue=${urlencode(local.queue)}"
  objects = "${aws_s3_bucket.store.arn}/${var.prefix}"
}

# --- The store -----------------------------------------------------------------------------------------------------------

resource "aws_s3_bucket" "store" {
  bucket = local.bucket
}

resource "aws_s3_bucket_public_access_block" "store" {
  bucket                  = aws_s3_bucket.store.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_ownership_controls" "store" {
  bucket = aws_s3_bucket.store.id
  rule {
    object_ownership = "BucketOwnerEnforced"
  }
}

resource "aws_kms_key" "store" {
  description             = "What agents of ${var.name} say and do."
  enable_key_rotation     = true
  deletion_window_in_days = 30
}

resource "aws_s3_bucket_server_side_encryption_configuration" "store" {
  bucket = aws_s3_bucket.store.id
  rule {
    bucket_key_enabled = true
    apply_server_side_encryption_by_default {
      sse_algorithm     = "aws:kms"
      kms_master_key_id = aws_kms_key.store.arn
    }
  }
}

resource "aws_s3_bucket_versioning" "store" {
  bucket = aws_s3_bucket.store.id
  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_lifecycle_configuration" "store" {
  bucket     = aws_s3_bucket.store.id
  depends_on = [aws_s3_bucket_versioning.store]

  dynamic "rule" {
    for_each = local.kept
    content {
      id     = "kept-${rule.key}"
      status = "Enabled"
      filter {
        prefix = "${var.prefix}/${rule.key}/"
      }
      noncurrent_version_expiration {
        noncurrent_days = rule.value
      }
      expiration {
        expired_object_delete_marker = true
      }
    }
  }

  rule {
    id     = "broken-uploads"
    status = "Enabled"
    filter {}
    abort_incomplete_multipart_upload {
      days_after_initiation = 1
    }
  }
}

# A head, a hint, a blob or a page that was written without a condition could overwrite what another agent wrote. No role may, whatever its own policy says.
data "aws_iam_policy_document" "bucket" {
  statement {
    sid       = "OnlyUnderACondition"
    effect    = "Deny"
    actions   = ["s3:PutObject"]
    resources = [for kind in ["h", "m", "b", "f"] : "${local.objects}/${kind}/*"]
    principals {
      type        = "*"
      identifiers = ["*"]
    }
    condition {
      test     = "Null"
      variable = "s3:if-match"
      values   = ["true"]
    }
    condition {
      test     = "Null"
      variable = "s3:if-none-match"
      values   = ["true"]
    }
  }

  # The head of a removed task stays, so that its id cannot be taken for a new one.
  statement {
    sid       = "HeadsStay"
    effect    = "Deny"
    actions   = ["s3:DeleteObject"]
    resources = ["${local.objects}/h/*"]
    principals {
      type        = "*"
      identifiers = ["*"]
    }
  }

  statement {
    sid       = "OnlyEncrypted"
    effect    = "Deny"
    actions   = ["s3:*"]
    resources = [aws_s3_bucket.store.arn, "${aws_s3_bucket.store.arn}/*"]
    principals {
      type        = "*"
      identifiers = ["*"]
    }
    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["false"]
    }
  }
}

resource "aws_s3_bucket_policy" "store" {
  bucket     = aws_s3_bucket.store.id
  policy     = data.aws_iam_policy_document.bucket.json
  depends_on = [aws_s3_bucket_public_access_block.store]
}

# --- The bell ------------------------------------------------------------------------------------------------------------

resource "aws_sqs_queue" "dead" {
  name                      = "${var.name}-dead.fifo"
  fifo_queue                = true
  message_retention_seconds = 1209600
  sqs_managed_sse_enabled   = true
}

resource "aws_sqs_queue" "in" {
  name       = "${var.name}-in.fifo"
  fifo_queue = true
  # Six times as long as the function may take.
  visibility_timeout_seconds = 6 * local.functions.router.timeout
  message_retention_seconds  = 3600
  sqs_managed_sse_enabled    = true
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead.arn
    maxReceiveCount     = 5
  })
}

resource "aws_sqs_queue" "end" {
  for_each                   = local.ends
  name                       = "${var.name}-${each.key}.fifo"
  fifo_queue                 = true
  visibility_timeout_seconds = 30
  # A ring that nobody heard for an hour is not worth hearing: recovery rings again.
  message_retention_seconds = 3600
  sqs_managed_sse_enabled   = true
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead.arn
    maxReceiveCount     = 5
  })
}

# --- The router ----------------------------------------------------------------------------------------------------------

data "aws_iam_policy_document" "assume" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}

# What every agent needs, and the router too.
data "aws_iam_policy_document" "agent" {
  statement {
    sid       = "Objects"
    actions   = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]
    resources = ["${local.objects}/*"]
  }
  # Without a condition on the prefix: under one S3 answers 403 where an object is missing, and nothing else is in the bucket.
  statement {
    sid       = "Listings"
    actions   = ["s3:ListBucket"]
    resources = [aws_s3_bucket.store.arn]
  }
  statement {
    sid       = "Key"
    actions   = ["kms:Decrypt", "kms:GenerateDataKey"]
    resources = [aws_kms_key.store.arn]
  }
  statement {
    sid       = "Ring"
    actions   = ["sqs:SendMessage"]
    resources = [aws_sqs_queue.in.arn]
  }
  statement {
    sid       = "Hear"
    actions   = ["sqs:ReceiveMessage", "sqs:DeleteMessage"]
    resources = [for end in aws_sqs_queue.end : end.arn]
  }
  statement {
    sid       = "Examine"
    actions   = ["sqs:GetQueueAttributes"]
    resources = [aws_sqs_queue.in.arn]
  }
}

# Dead letters are for those who run the control room, and for the recoverer, which counts them.
data "aws_iam_policy_document" "operator" {
  source_policy_documents = [data.aws_iam_policy_document.agent.json]
  statement {
    sid       = "DeadLetters"
    actions   = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility"]
    resources = [aws_sqs_queue.dead.arn]
  }
}

resource "aws_iam_policy" "role" {
  for_each = {
    agent    = data.aws_iam_policy_document.agent.json
    operator = data.aws_iam_policy_document.operator.json
  }
  name   = "${var.name}-${each.key}"
  policy = each.value
}

data "aws_iam_policy_document" "router" {
  source_policy_documents = [data.aws_iam_policy_document.operator.json]
  statement {
    sid       = "HearRings"
    actions   = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ChangeMessageVisibility"]
    resources = [aws_sqs_queue.in.arn]
  }
  statement {
    sid       = "PassOn"
    actions   = ["sqs:SendMessage"]
    resources = [for end in aws_sqs_queue.end : end.arn]
  }
  statement {
    sid       = "Log"
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents"]
    resources = [for group in aws_cloudwatch_log_group.function : "${group.arn}:*"]
  }
}

resource "aws_iam_role" "router" {
  name               = "${var.name}-router"
  assume_role_policy = data.aws_iam_policy_document.assume.json
}

resource "aws_iam_role_policy" "router" {
  role   = aws_iam_role.router.id
  policy = data.aws_iam_policy_document.router.json
}

resource "aws_cloudwatch_log_group" "function" {
  for_each          = local.functions
  name              = "/aws/lambda/${var.name}-${each.key}"
  retention_in_days = 30
}

resource "aws_lambda_function" "function" {
  for_each         = local.functions
  function_name    = "${var.name}-${each.key}"
  role             = aws_iam_role.router.arn
  runtime          = var.runtime
  handler          = "index.handler"
  filename         = "${path.module}/lambda/dist/router.zip"
  source_code_hash = fileexists("${path.module}/lambda/dist/router.zip") ? filebase64sha256("${path.module}/lambda/dist/router.zip") : null
  timeout          = each.value.timeout
  memory_size      = 512
  environment {
    variables = {
      STAFFETTA_STORE = local.store
    }
  }
  depends_on = [aws_cloudwatch_log_group.function, aws_iam_role_policy.router]
}

resource "aws_lambda_event_source_mapping" "in" {
  event_source_arn        = aws_sqs_queue.in.arn
  function_name           = aws_lambda_function.function["router"].arn
  batch_size              = 10
  function_response_types = ["ReportBatchItemFailures"]
}

# A recovery that is not over when the next one is due only costs what it reads. One that failed is not repeated: the next one comes.
resource "aws_lambda_function_event_invoke_config" "recoverer" {
  function_name                = aws_lambda_function.function["recoverer"].function_name
  maximum_retry_attempts       = 0
  maximum_event_age_in_seconds = 60
}

resource "aws_cloudwatch_event_rule" "minute" {
  name                = "${var.name}-recover"
  schedule_expression = "rate(1 minute)"
}

resource "aws_cloudwatch_event_target" "minute" {
  rule  = aws_cloudwatch_event_rule.minute.name
  arn   = aws_lambda_function.function["recoverer"].arn
  input = "{}"
}

resource "aws_lambda_permission" "minute" {
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.function["recoverer"].function_name
  principal     = "events.amazonaws.com"
  source_arn    = aws_cloudwatch_event_rule.minute.arn
}
